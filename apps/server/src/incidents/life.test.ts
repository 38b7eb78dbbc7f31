import { incidentEndpoints } from '@sonnenwarte/contract/incidents/incidents';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { casesOf } from '../testing/thoroughness.ts';
import { foldTold } from './fold-told.ts';
import { closeWhatIsDone } from './watch.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BEGIN_MS = Date.UTC(2026, 5, 16, 6, 0);
const CODES = [1005, 1002, 3001, 3002, 5004];
let plants: PlantsFixture;
let token: string;
let deviceIds: string[];

beforeAll(async () => {
  plants = await PlantsFixture.start((nowMs) => ({ nowMs, after: () => () => undefined }));
  const organisation = await plants.addOrganisation('installer');
  token = plants.signInOf(await plants.addAccount(organisation.id, 2), organisation.path);
  deviceIds = [];
  for (let number = 0; number < 4; number += 1) {
    const site = await plants.addSite(organisation.id, { postcode: '85354' });
    const logger = await plants.addDatalogger(site.id);
    for (let each = 0; each < 2; each += 1) deviceIds.push((await plants.addDevice(site.id, logger.id)).id);
  }
});

afterAll(() => plants.stop());

const device = fc.nat({ max: 7 });
const code = fc.constantFrom(...CODES);
/** What may happen, in any order: told and told no more, time that passes, folding by one or by two at once, and people. */
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('tell' as const), device, code, agoMin: fc.nat({ max: 90 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), device, code }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('foldTwice' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 150 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('acknowledge' as const) }) },
);
type Happening = typeof event extends fc.Arbitrary<infer T> ? T : never;

async function happen(each: Happening, standing: Map<string, string>): Promise<void> {
  const now = plants.time.nowMs ?? BEGIN_MS;
  switch (each.kind) {
    case 'tell': {
      const key = `${each.device} ${each.code}`;
      if (standing.has(key)) return;
      const { id } = await plants.db
        .insertInto('alarms')
        .values({
          device_id: deviceIds[each.device] ?? '',
          logger_id: null,
          site_id: null,
          code: each.code,
          level: 3,
          since: new Date(now - each.agoMin * MINUTE_MS),
          until: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      standing.set(key, id);
      return;
    }
    case 'end': {
      const id = standing.get(`${each.device} ${each.code}`);
      if (id === undefined) return;
      standing.delete(`${each.device} ${each.code}`);
      return end(id);
    }
    case 'fold':
      await foldTold(plants.db, now);
      return;
    case 'foldTwice':
      await Promise.all([foldTold(plants.db, now), foldTold(plants.db, now)]);
      return;
    case 'again':
      await plants.db.updateTable('alarms').set({ folded: false }).execute();
      return;
    case 'pass':
      plants.time.nowMs = now + each.minutes * MINUTE_MS;
      return;
    case 'close':
      return closeWhatIsDone(plants.db, now);
    case 'acknowledge': {
      const { incidents } = await plants.read(incidentEndpoints.list, { condition: {} }, token);
      const ids = incidents.map(({ incidentID }) => incidentID);
      if (ids.length > 0) await plants.read(incidentEndpoints.acknowledge, { ids }, token);
    }
  }
}

const end = async (id: string): Promise<void> => {
  const until = new Date(plants.time.nowMs ?? BEGIN_MS);
  await plants.db.updateTable('alarms').set({ until, folded: false }).where('id', '=', id).execute();
};

test('no order of events loses an alarm, counts one twice, or leaves an incident open for ever', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 25 }), async (events) => {
      await plants.db.deleteFrom('alarms').execute();
      await plants.db.deleteFrom('incidents').execute();
      plants.time.nowMs = BEGIN_MS;
      const standing = new Map<string, string>();
      for (const each of events) await happen(each, standing);
      await foldTold(plants.db, plants.time.nowMs);

      const told = await plants.db.selectFrom('alarms').selectAll().execute();
      const incidents = await plants.db.selectFrom('incidents').selectAll().execute();
      const byId = new Map(incidents.map((row) => [row.id, row]));
      for (const alarm of told) {
        const incident = byId.get(alarm.incident_id ?? '');
        expect(incident, 'each alarm is in an incident').toBeDefined();
        expect([incident?.code, incident?.device_id]).toEqual([alarm.code, alarm.device_id]);
        if (alarm.until === null) expect(['open', 'acknowledged']).toContain(incident?.state);
      }
      for (const row of incidents.filter(({ site_id }) => site_id !== null)) {
        const own = told.filter(({ incident_id }) => incident_id === row.id);
        expect(row.times, 'each alarm is counted once').toBe(own.length);
        const stands = own.some(({ until }) => until === null);
        expect(['open', 'acknowledged'].includes(row.state), 'it is open as long as one stands').toBe(stands);
        if (row.cause_id !== null) expect(byId.get(row.cause_id)?.cause_id, 'no cause is below another').toBeNull();
      }
      const goingOn = incidents
        .filter(({ state }) => state !== 'closed')
        .map(({ subject, code: of }) => `${subject} ${of}`);
      expect(new Set(goingOn).size, 'nothing goes on twice').toBe(goingOn.length);

      for (const id of standing.values()) await end(id);
      await foldTold(plants.db, plants.time.nowMs);
      plants.time.nowMs += 2 * HOUR_MS;
      await closeWhatIsDone(plants.db, plants.time.nowMs);
      const left = await plants.db.selectFrom('incidents').select('id').where('state', '<>', 'closed').execute();
      expect(left, 'all is closed in the end').toEqual([]);
    }),
    { numRuns: casesOf(40, 400) },
  );
});
