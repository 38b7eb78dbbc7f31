import { alarmRuleEndpoints, MOST_TOLD_PER_HOUR } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { plainTerms } from '../testing/rules-fixture.ts';
import { casesOf } from '../testing/thoroughness.ts';
import { tellDue } from './tell.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BEGIN_MS = Date.UTC(2026, 5, 16, 6, 0);
const PORTAL = 'http://localhost';
let plants: PlantsFixture;
let deviceIds: string[];
let siteId: string;
let accountId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start((nowMs) => ({ nowMs, after: () => () => undefined }));
  const organisation = await plants.addOrganisation('installer');
  const account = await plants.addAccount(organisation.id, 2);
  accountId = account.id;
  const token = plants.signInOf(account, organisation.path);
  ({ id: siteId } = await plants.addSite(organisation.id, {}));
  const logger = await plants.addDatalogger(siteId);
  deviceIds = [];
  for (let each = 0; each < 12; each += 1) deviceIds.push((await plants.addDevice(siteId, logger.id)).id);
  const { rules } = await plants.read(alarmRuleEndpoints.list, {}, token);
  await plants.read(
    alarmRuleEndpoints.edit,
    {
      ...plainTerms,
      ruleID: rules[0]?.ruleID ?? '',
      name: 'All',
      levels: [1, 2, 3, 4],
      tellsEnd: true,
    },
    token,
  );
});
afterAll(() => plants.stop());

const device = fc.nat({ max: 11 });
/** What may happen to an incident, time that passes, and telling: by one, by two at once, and one that is cut off before its end. */
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('begin' as const), device }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('clear' as const, 'return' as const, 'close' as const), device }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('acknowledge' as const, 'mute' as const), device }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('tell' as const, 'tellTwice' as const, 'cutOff' as const) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 40 }) }) },
);
type Happening = typeof event extends fc.Arbitrary<infer T> ? T : never;

const nowMs = (): number => plants.time.nowMs ?? BEGIN_MS;
const telling = () => tellDue(plants.db, nowMs(), { portal: PORTAL });

const newest = (place: number) =>
  plants.db
    .selectFrom('incidents')
    .select(['id', 'state'])
    .where('device_id', '=', deviceIds[place] ?? '')
    .where('state', '<>', 'closed')
    .executeTakeFirst();

async function happen(each: Happening): Promise<void> {
  const now = new Date(nowMs());
  if (each.kind === 'tell') return void (await telling());
  if (each.kind === 'tellTwice') return void (await Promise.all([telling(), telling()]));
  if (each.kind === 'cutOff') {
    await plants.db
      .transaction()
      .execute(async (tx) => {
        await tellDue(tx as unknown as typeof plants.db, nowMs(), { portal: PORTAL });
        throw new Error('cut off');
      })
      .catch(() => undefined);
    return;
  }
  if (each.kind === 'pass') {
    plants.time.nowMs = nowMs() + each.minutes * MINUTE_MS;
    return;
  }
  if (!('device' in each)) return;
  const incident = await newest(each.device);
  const set = (values: Record<string, unknown>) =>
    plants.db
      .updateTable('incidents')
      .set(values)
      .where('id', '=', incident?.id ?? '')
      .execute();
  const stands = incident?.state === 'open' || incident?.state === 'acknowledged';
  if (each.kind === 'begin' && incident === undefined) {
    await plants.db
      .insertInto('incidents')
      .values({
        code: 3001,
        level: 3,
        subject: deviceIds[each.device] ?? '',
        site_id: siteId,
        device_id: deviceIds[each.device] ?? '',
        logger_id: null,
        organisation_id: null,
        cause_id: null,
        cause_organisation_id: null,
        since: now,
        last_since: now,
        until: null,
        acknowledged_at: null,
        muted_until: null,
        assignee_id: null,
        closed_at: null,
        own_wh: null,
        own_money: null,
        lost_wh: null,
        lost_money: null,
        reckoned_at: null,
      })
      .execute();
  }
  if (each.kind === 'clear' && stands) await set({ state: 'cleared', until: now });
  if (each.kind === 'return' && incident?.state === 'cleared')
    await set({ state: 'open', until: null, last_since: now });
  if (each.kind === 'close' && incident?.state === 'cleared') await set({ state: 'closed', closed_at: now });
  if (each.kind === 'acknowledge' && incident?.state === 'open') await set({ state: 'acknowledged' });
  if (each.kind === 'mute' && stands) await set({ muted_until: new Date(nowMs() + 30 * MINUTE_MS) });
}

test('no order of events, doubles and cuts tells anybody twice, passes the cap, or leaves out what stands unacknowledged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 40 }), async (events) => {
      await plants.db.deleteFrom('incidents').execute();
      await plants.db.deleteFrom('alarm_deliveries').execute();
      await plants.db.deleteFrom('messages').execute();
      plants.time.nowMs = BEGIN_MS;
      for (const each of events) await happen(each);
      // Whatever waits has its time within these hours.
      for (let quarter = 0; quarter < 16; quarter += 1) {
        plants.time.nowMs = nowMs() + 15 * MINUTE_MS;
        while ((await telling()) > 0);
      }

      const incidents = await plants.db.selectFrom('incidents').selectAll().execute();
      const tellings = await plants.db.selectFrom('alarm_tellings').selectAll().execute();
      const of = (id: string, event: string) =>
        tellings.filter((each) => each.incident_id === id && each.event === event && each.state === 'told').length;
      for (const { id, state } of incidents) {
        expect(of(id, 'began'), 'told once at most').toBeLessThanOrEqual(1);
        expect(of(id, 'ended'), 'its end once at most').toBeLessThanOrEqual(of(id, 'began'));
        if (state === 'open') expect(of(id, 'began'), 'what stands is told').toBe(1);
        if (of(id, 'began') === 1 && (state === 'cleared' || state === 'closed'))
          expect(of(id, 'ended'), 'what is over is told to be').toBe(1);
      }
      expect(
        tellings.filter(({ state }) => state === 'waiting'),
        'nothing waits for ever',
      ).toEqual([]);

      const messages = await plants.db.selectFrom('messages').selectAll().where('account_id', '=', accountId).execute();
      const told = tellings.filter(({ state }) => state === 'told').length;
      expect(
        messages.reduce((sum, { count }) => sum + count, 0),
        'each telling is in one message',
      ).toBe(told);
      for (const { at } of messages) {
        const within = messages.filter((each) => each.at.getTime() > at.getTime() - HOUR_MS && each.at <= at);
        expect(within.length).toBeLessThanOrEqual(MOST_TOLD_PER_HOUR);
      }
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from alarm_deliveries`.execute(
        plants.db,
      );
      expect(rows[0]?.count, 'each message is listed as a delivery').toBe(messages.length);
    }),
    { numRuns: casesOf(25, 300) },
  );
});
