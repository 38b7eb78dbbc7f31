import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  alarmRuleEndpoints,
  MOST_RULES,
  MOST_TOLD_PER_HOUR,
  type RuleTerms,
} from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { errno } from '@sonnenwarte/contract/errors';
import { incidentEndpoints } from '@sonnenwarte/contract/incidents/incidents';
import { messageEndpoints } from '@sonnenwarte/contract/messages/messages';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foldTold } from '../incidents/fold-told.ts';
import { webhookSignature } from '../notifications/delivery.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { DELIVER_ALARM, deliverAlarm, type QueuedDelivery } from './deliver.ts';
import { tellDue } from './tell.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
const PORTAL = 'http://localhost';
let plants: PlantsFixture;

beforeAll(async () => {
  // Nothing is folded or told by itself: tests say when.
  plants = await PlantsFixture.start((nowMs) => ({ nowMs, after: () => () => undefined }));
});
afterAll(() => plants.stop());

const terms: RuleTerms = {
  name: 'Faults',
  levels: [3, 4],
  codes: [],
  organisationID: null,
  stationID: null,
  delayMinutes: 10,
  channels: ['inbox'],
  mode: 'atOnce',
  digestAt: '',
  quietFrom: '',
  quietTo: '',
  criticalAlways: true,
  tellsEnd: false,
  escalateMinutes: null,
  escalateTo: [],
  receivers: [],
};

/** An installer with a plant and one rule in place of the first. */
async function installerWith(change: Partial<RuleTerms> = {}) {
  plants.time.nowMs = NOW_MS;
  const organisation = await plants.addOrganisation('installer');
  const account = await plants.addAccount(organisation.id, 2);
  await plants.db.deleteFrom('alarm_rules').where('account_id', '=', account.id).execute();
  await plants.db.updateTable('accounts').set({ email_confirmed_at: null }).where('id', '=', account.id).execute();
  const token = plants.signInOf(account, organisation.path);
  const rule = await plants.read(alarmRuleEndpoints.add, { ...terms, ...change }, token);
  const { id: siteId } = await plants.addSite(organisation.id, { name: 'Hof' });
  const logger = await plants.addDatalogger(siteId);
  const inverter = await plants.addDevice(siteId, logger.id);
  return { organisation, account, token, siteId, logger, inverter, ruleID: rule.ruleID };
}

const tell = (
  device: string,
  { code = 3001, level = 3, sinceMs = plants.time.nowMs ?? NOW_MS, untilMs = null as number | null } = {},
) =>
  plants.db
    .insertInto('alarms')
    .values({
      device_id: device,
      logger_id: null,
      site_id: null,
      code,
      level,
      since: new Date(sinceMs),
      until: untilMs === null ? null : new Date(untilMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow();

const end = (id: string, untilMs: number) =>
  plants.db
    .updateTable('alarms')
    .set({ until: new Date(untilMs), folded: false })
    .where('id', '=', id)
    .execute();

/** The clock goes on to a time; what is told until then is folded and passed on. */
async function at(ms: number): Promise<void> {
  plants.time.nowMs = ms;
  while ((await foldTold(plants.db, ms)) > 0);
  while ((await tellDue(plants.db, ms, { portal: PORTAL })) > 0);
}

const inbox = async (token: string) => (await plants.read(messageEndpoints.list, { pageSize: 50 }, token)).messages;
const delivered = async (token: string) =>
  (await plants.read(alarmRuleEndpoints.deliveries, { pageSize: 50 }, token)).deliveries;
const incidentsOf = async (token: string) =>
  (await plants.read(incidentEndpoints.list, { condition: { view: 'all' } }, token)).incidents;
const droppedFor = async (accountId: string) =>
  (
    await plants.db
      .selectFrom('alarm_tellings')
      .select(['reason', 'state'])
      .where('account_id', '=', accountId)
      .execute()
  ).map(({ state, reason }) => (state === 'dropped' ? reason : state));

describe('somebody whom a rule tells', () => {
  test('hears of an incident when it has stood for the time of the rule, once, and sees how it went', async () => {
    const { token, inverter } = await installerWith();
    await tell(inverter.id);
    await at(NOW_MS + 9 * MINUTE_MS);
    expect(await inbox(token)).toEqual([]);
    for (const minutes of [10, 11, 60]) await at(NOW_MS + minutes * MINUTE_MS);
    const [incident] = await incidentsOf(token);
    const messages = await inbox(token);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      kind: 'alarm',
      event: 'began',
      subject: 'Hof',
      text: inverter.sn,
      code: 3001,
      level: 3,
      count: 1,
      recordID: incident?.incidentID,
      isRead: false,
      atMs: NOW_MS + 10 * MINUTE_MS,
    });
    expect(await delivered(token)).toMatchObject([
      { channel: 'inbox', state: 'sent', event: 'began', incidents: 1, ruleName: 'Faults', plantName: 'Hof' },
    ]);
    expect(await plants.read(messageEndpoints.unread, {}, token)).toMatchObject({ total: 1, byKind: { alarm: 1 } });
  });

  test('hears once of what flaps, of what two rules name, and of what was over before its time not at all', async () => {
    const { token, account, inverter } = await installerWith();
    await plants.read(alarmRuleEndpoints.add, { ...terms, name: 'Again' }, token);
    const first = await tell(inverter.id);
    await at(NOW_MS + 5 * MINUTE_MS);
    await end(first.id, NOW_MS + 6 * MINUTE_MS);
    await at(NOW_MS + 12 * MINUTE_MS);
    expect(await inbox(token)).toEqual([]);
    expect(await droppedFor(account.id)).toEqual(['over', 'over']);
    for (const minutes of [15, 40]) {
      const again = await tell(inverter.id, { sinceMs: NOW_MS + minutes * MINUTE_MS });
      await at(NOW_MS + (minutes + 12) * MINUTE_MS);
      await end(again.id, NOW_MS + (minutes + 13) * MINUTE_MS);
      await at(NOW_MS + (minutes + 14) * MINUTE_MS);
    }
    expect(await inbox(token)).toHaveLength(1);
    expect((await droppedFor(account.id)).toSorted()).toEqual(['told', 'toldAlready']);
  });

  test('hears nothing of what somebody has acknowledged, and of what is muted when that has ended', async () => {
    const { token, account, inverter } = await installerWith();
    await tell(inverter.id);
    await tell(inverter.id, { code: 3006 });
    await at(NOW_MS + MINUTE_MS);
    const [one, other] = await incidentsOf(token);
    await plants.read(incidentEndpoints.acknowledge, { ids: [one?.incidentID ?? ''] }, token);
    await plants.read(
      incidentEndpoints.mute,
      { ids: [other?.incidentID ?? ''], untilMs: NOW_MS + 3 * HOUR_MS, reason: 'Waiting for a part' },
      token,
    );
    await at(NOW_MS + 20 * MINUTE_MS);
    expect(await inbox(token)).toEqual([]);
    expect((await droppedFor(account.id)).toSorted()).toEqual(['acknowledged', 'waiting']);
    await at(NOW_MS + 3 * HOUR_MS + MINUTE_MS);
    expect(await inbox(token)).toMatchObject([{ recordID: other?.incidentID }]);
  });

  test('hears of a cause and not of what it explains', async () => {
    const { token, logger, inverter, siteId } = await installerWith({ levels: [1, 2, 3, 4] });
    await plants.db
      .insertInto('alarms')
      .values({
        device_id: null,
        logger_id: logger.id,
        site_id: siteId,
        code: 5003,
        level: 2,
        since: new Date(NOW_MS),
        until: null,
        source: 'portal',
      })
      .execute();
    await tell(inverter.id, { code: 5004, level: 2 });
    await at(NOW_MS + 11 * MINUTE_MS);
    expect(await inbox(token)).toMatchObject([{ code: 5003 }]);
  });

  test('hears nothing of plants that are somebody else’s, nor of those that have gone to somebody else', async () => {
    const { token, inverter, siteId, account } = await installerWith();
    const [next, stranger] = [await installerWith({ delayMinutes: 60 }), await installerWith()];
    await tell(inverter.id);
    await at(NOW_MS + MINUTE_MS);
    await plants.db
      .updateTable('sites')
      .set({ organisation_id: next.organisation.id })
      .where('id', '=', siteId)
      .execute();
    await at(NOW_MS + 11 * MINUTE_MS);
    expect(await inbox(token)).toEqual([]);
    expect(await droppedFor(account.id)).toEqual(['unseen']);
    expect(await inbox(stranger.token)).toEqual([]);
  });

  test('is left alone in quiet hours, but for what is critical, and gets the rest in one when they end', async () => {
    const { token, account, inverter } = await installerWith({ quietFrom: '12:00', quietTo: '18:00' });
    await plants.db.updateTable('accounts').set({ time_zone: 'Europe/Berlin' }).where('id', '=', account.id).execute();
    for (const code of [3001, 3004, 3005, 3006]) await tell(inverter.id, { code });
    await tell(inverter.id, { code: 2001, level: 4 });
    await at(NOW_MS + 11 * MINUTE_MS);
    expect(await inbox(token)).toMatchObject([{ code: 2001, level: 4 }]);
    await at(NOW_MS + 4 * HOUR_MS + 59 * MINUTE_MS);
    expect(await inbox(token)).toHaveLength(1);
    await at(NOW_MS + 5 * HOUR_MS);
    expect(await inbox(token)).toMatchObject([{ event: 'digest', count: 4 }, { code: 2001 }]);
  });

  test('hears of all of a day at one time of the own clock, where the rule says so', async () => {
    const { token, inverter } = await installerWith({ mode: 'daily', digestAt: '07:00' });
    await tell(inverter.id);
    await tell(inverter.id, { code: 3006, sinceMs: NOW_MS + 3 * HOUR_MS });
    await at(NOW_MS + 4 * HOUR_MS);
    expect(await inbox(token)).toEqual([]);
    await at(Date.UTC(2026, 5, 17, 7, 0));
    expect(await inbox(token)).toMatchObject([{ event: 'digest', count: 2 }]);
  });

  test('hears when it is over, where the rule says so, and not of what comes back at once', async () => {
    const { token, inverter } = await installerWith({ tellsEnd: true });
    const first = await tell(inverter.id);
    await at(NOW_MS + 11 * MINUTE_MS);
    await end(first.id, NOW_MS + 12 * MINUTE_MS);
    await at(NOW_MS + 13 * MINUTE_MS);
    const again = await tell(inverter.id, { sinceMs: NOW_MS + 20 * MINUTE_MS });
    await at(NOW_MS + 28 * MINUTE_MS);
    expect(await inbox(token)).toHaveLength(1);
    await end(again.id, NOW_MS + 30 * MINUTE_MS);
    for (const minutes of [31, 46, 89]) await at(NOW_MS + minutes * MINUTE_MS);
    expect(await inbox(token)).toHaveLength(1);
    for (const minutes of [90, 91, 200]) await at(NOW_MS + minutes * MINUTE_MS);
    expect(await inbox(token)).toMatchObject([{ event: 'ended' }, { event: 'began' }]);
  });
});

test('whoever comes next is told of what nobody acknowledges in time, and of nothing else', async () => {
  const { organisation, inverter, token, ruleID } = await installerWith();
  const chief = await plants.addAccount(organisation.id, 2);
  await plants.db.deleteFrom('alarm_rules').where('account_id', '=', chief.id).execute();
  const chiefToken = plants.signInOf(chief, organisation.path);
  await plants.read(alarmRuleEndpoints.edit, { ...terms, ruleID, escalateMinutes: 30, escalateTo: [chief.id] }, token);
  await tell(inverter.id);
  await tell(inverter.id, { code: 3006 });
  await at(NOW_MS + 11 * MINUTE_MS);
  expect(await inbox(chiefToken)).toEqual([]);
  const [seen, unseen] = await incidentsOf(token);
  await plants.read(incidentEndpoints.acknowledge, { ids: [seen?.incidentID ?? ''] }, token);
  await at(NOW_MS + 60 * MINUTE_MS);
  expect(await inbox(chiefToken)).toMatchObject([{ event: 'escalated', recordID: unseen?.incidentID }]);
  expect((await delivered(token)).map(({ event }) => event).toSorted()).toEqual(['began', 'began', 'escalated']);
});

test('an escalation follows although another rule has told the beginning, and comes again with what comes back', async () => {
  const { organisation, inverter, token } = await installerWith();
  const chief = await plants.addAccount(organisation.id, 2);
  await plants.db.deleteFrom('alarm_rules').where('account_id', '=', chief.id).execute();
  const chiefToken = plants.signInOf(chief, organisation.path);
  await plants.read(
    alarmRuleEndpoints.add,
    { ...terms, name: 'Later', delayMinutes: 20, escalateMinutes: 30, escalateTo: [chief.id], tellsEnd: true },
    token,
  );
  const first = await tell(inverter.id);
  await at(NOW_MS + 21 * MINUTE_MS);
  expect(await inbox(token)).toHaveLength(1);
  await end(first.id, NOW_MS + 40 * MINUTE_MS);
  await at(NOW_MS + 55 * MINUTE_MS);
  expect(await inbox(chiefToken)).toEqual([]);
  const again = await tell(inverter.id, { sinceMs: NOW_MS + 60 * MINUTE_MS });
  await at(NOW_MS + 95 * MINUTE_MS);
  expect(await inbox(chiefToken)).toMatchObject([{ event: 'escalated' }]);
  await end(again.id, NOW_MS + 100 * MINUTE_MS);
  for (const minutes of [101, 161]) await at(NOW_MS + minutes * MINUTE_MS);
  expect((await inbox(token)).map(({ event }) => event)).toEqual(['ended', 'began']);
});

test('what becomes worse while it stands is told to whom only the worse concerns', async () => {
  const { token, inverter } = await installerWith();
  const { id } = await tell(inverter.id, { level: 2 });
  await at(NOW_MS + 11 * MINUTE_MS);
  expect(await inbox(token)).toEqual([]);
  await plants.db.updateTable('alarms').set({ level: 4, folded: false }).where('id', '=', id).execute();
  await at(NOW_MS + 12 * MINUTE_MS);
  expect(await inbox(token)).toMatchObject([{ level: 4 }]);
});

test('who takes a plant over is told of what stands there', async () => {
  const { inverter, siteId } = await installerWith();
  const next = await installerWith();
  await tell(inverter.id);
  await at(NOW_MS + 5 * MINUTE_MS);
  await plants.db
    .updateTable('sites')
    .set({ organisation_id: next.organisation.id })
    .where('id', '=', siteId)
    .execute();
  await at(NOW_MS + 11 * MINUTE_MS);
  expect(await inbox(next.token)).toMatchObject([{ recordID: expect.any(String), code: 3001 }]);
});

describe('nobody is told any more', () => {
  const waiting = async () => {
    const one = await installerWith();
    const colleague = await plants.addAccount(one.organisation.id, 2);
    await plants.db.deleteFrom('alarm_rules').where('account_id', '=', colleague.id).execute();
    const told = { ...terms, ruleID: one.ruleID, receivers: [colleague.id] };
    await plants.read(alarmRuleEndpoints.edit, told, one.token);
    await tell(one.inverter.id);
    await at(NOW_MS + MINUTE_MS);
    return { ...one, colleague, colleagueToken: plants.signInOf(colleague, one.organisation.path) };
  };
  const set = (id: string, values: { deleted_at?: Date; disabled_at?: Date }) =>
    plants.db.updateTable('accounts').set(values).where('id', '=', id).execute();

  test.each([
    [
      'who is deleted',
      ({ colleague }: Awaited<ReturnType<typeof waiting>>) => set(colleague.id, { deleted_at: new Date() }),
    ],
    ['who is disabled', ({ colleague }) => set(colleague.id, { disabled_at: new Date() })],
    ['by a rule whose keeper is disabled', ({ account }) => set(account.id, { disabled_at: new Date() })],
    [
      'who has left the rule',
      ({ colleagueToken, ruleID }) => plants.read(alarmRuleEndpoints.leave, { ruleID }, colleagueToken),
    ],
  ] as [string, (of: Awaited<ReturnType<typeof waiting>>) => Promise<unknown>][])('%s', async (_, happens) => {
    const of = await waiting();
    await happens(of);
    await at(NOW_MS + 11 * MINUTE_MS);
    expect(await droppedFor(of.colleague.id)).toEqual(['ruleChanged']);
    expect(await inbox(of.colleagueToken)).toEqual([]);
  });
});

test('somebody who cannot be told keeps nobody else from being told', async () => {
  const [bad, good] = [await installerWith(), await installerWith()];
  await plants.db
    .updateTable('accounts')
    .set({ time_zone: 'Europe/Nowhere' })
    .where('id', '=', bad.account.id)
    .execute();
  for (const { inverter } of [bad, good]) await tell(inverter.id);
  await at(NOW_MS + 11 * MINUTE_MS);
  expect(await inbox(good.token)).toHaveLength(1);
  expect(await inbox(bad.token)).toHaveLength(1);
});

describe('a storm', () => {
  test('of trifles leaves room for what is critical', async () => {
    const { token, siteId, logger } = await installerWith({ levels: [2, 4] });
    for (let count = 0; count < 8; count += 1) {
      const { id } = await plants.addDevice(siteId, logger.id);
      await tell(id, { level: 2, sinceMs: NOW_MS + count * 4 * MINUTE_MS });
      await at(NOW_MS + (count * 4 + 11) * MINUTE_MS);
    }
    expect(await inbox(token)).toHaveLength(MOST_TOLD_PER_HOUR - 1);
    const { id } = await plants.addDevice(siteId, logger.id);
    await tell(id, { level: 4, sinceMs: NOW_MS + 40 * MINUTE_MS });
    await at(NOW_MS + 51 * MINUTE_MS);
    expect((await inbox(token))[0]).toMatchObject({ event: 'began', level: 4 });
  });

  test('of incidents that begin at once comes as one message', async () => {
    const { token, siteId, logger } = await installerWith();
    for (let count = 0; count < 40; count += 1) {
      const { id } = await plants.addDevice(siteId, logger.id);
      await tell(id);
    }
    await at(NOW_MS + 11 * MINUTE_MS);
    expect(await inbox(token)).toMatchObject([{ event: 'digest', count: 40 }]);
  });

  test('that goes on for hours never passes the cap of an hour, and all of it is told', async () => {
    const { token, siteId, logger } = await installerWith();
    const devices: string[] = [];
    for (let count = 0; count < 40; count += 1) devices.push((await plants.addDevice(siteId, logger.id)).id);
    for (const [place, device] of devices.entries()) {
      await tell(device, { sinceMs: NOW_MS + place * 3 * MINUTE_MS });
      await at(NOW_MS + (place * 3 + 1) * MINUTE_MS);
    }
    for (let minutes = 120; minutes <= 300; minutes += 5) await at(NOW_MS + minutes * MINUTE_MS);
    const messages = await inbox(token);
    expect(messages.reduce((sum, { count }) => sum + count, 0)).toBe(devices.length);
    for (const { atMs } of messages)
      expect(messages.filter((each) => each.atMs > atMs - HOUR_MS && each.atMs <= atMs).length).toBeLessThanOrEqual(
        MOST_TOLD_PER_HOUR,
      );
  });
});

describe('a delivery', () => {
  let receiver: Server;
  let base: string;
  let failures = 0;
  const arrived: { headers: IncomingHttpHeaders; body: string }[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        failures -= 1;
        response.writeHead(failures >= 0 ? 503 : 204).end();
        if (failures < 0) arrived.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      });
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    receiver.close();
  });

  const parts = () => ({
    db: plants.db,
    rules: { privateAddresses: true, plainLoopback: true },
    contact: 'mailto:a@example.com',
  });

  test('to a webhook that fails three times is tried again until it arrives, signed, and says so', async () => {
    const { token, inverter, account } = await installerWith({ channels: ['webhook'] });
    await plants.db
      .insertInto('notification_channels')
      .values({
        account_id: account.id,
        kind: 'webhook',
        name: 'Ours',
        target: JSON.stringify({ url: `${base}/hook?key=hidden`, secret: 'secret' }),
        last_delivered_at: null,
      })
      .execute();
    await tell(inverter.id);
    await at(NOW_MS + 11 * MINUTE_MS);
    const { rows } = await sql<{ payload: QueuedDelivery }>`
      select payload from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
      where tasks.identifier = ${DELIVER_ALARM}`.execute(plants.stores.db);
    const [job] = rows.map(({ payload }) => payload);
    if (job === undefined) throw new Error('nothing is queued');
    failures = 3;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect(deliverAlarm(parts(), job, plants.time.nowMs ?? NOW_MS)).rejects.toThrow();
      expect(await delivered(token)).toMatchObject([
        { state: 'queued', attempts: attempt, failure: { reason: 'status', status: 503 } },
      ]);
    }
    await deliverAlarm(parts(), job, NOW_MS + 12 * MINUTE_MS);
    // A job that could not say that it was done is done again, and sends nothing.
    await deliverAlarm(parts(), job, NOW_MS + 13 * MINUTE_MS);
    expect(arrived).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: '' }] = arrived;
    expect(headers['x-sonnenwarte-signature']).toBe(
      webhookSignature('secret', String(headers['x-sonnenwarte-timestamp']), body),
    );
    expect(headers['x-sonnenwarte-delivery']).toBe(job.deliveryId);
    expect(JSON.parse(body)).toMatchObject({
      kind: 'alarms',
      detail: { count: 1, alarms: [{ code: 3001, place: 'Hof', sn: inverter.sn }] },
    });
    expect(await delivered(token)).toMatchObject([
      { state: 'sent', attempts: 4, failure: null, target: `${base}/hook`, sentMs: NOW_MS + 12 * MINUTE_MS },
    ]);
  });

  test('by mail goes to the confirmed address in the language of its reader, and its outcome is that of the mail', async () => {
    const { token, inverter, account } = await installerWith({ channels: ['email'] });
    await plants.db
      .updateTable('accounts')
      .set({ language: 'de', time_zone: 'Europe/Berlin', email_confirmed_at: new Date(NOW_MS) })
      .where('id', '=', account.id)
      .execute();
    await tell(inverter.id);
    await at(NOW_MS + 11 * MINUTE_MS);
    const mail = await plants.db
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', `${account.id}@example.org`)
      .executeTakeFirstOrThrow();
    expect(mail.subject).toBe('Störung: Übertemperatur – Hof');
    expect(mail.body).toContain('http://localhost/bus/alarm/detail?id=');
    expect(mail.body).toContain('„Faults“');
    expect(await delivered(token)).toMatchObject([
      { channel: 'email', state: 'queued', target: `${account.id}@example.org` },
    ]);
    await plants.db
      .updateTable('mails')
      .set({ sent_at: new Date(NOW_MS + 12 * MINUTE_MS), attempts: 2 })
      .where('id', '=', mail.id)
      .execute();
    expect(await delivered(token)).toMatchObject([{ state: 'sent', attempts: 2, sentMs: NOW_MS + 12 * MINUTE_MS }]);
  });

  test('by a way that is not set up is none, and is not tried for ever', async () => {
    const { token, inverter, account } = await installerWith({ channels: ['push', 'email'] });
    await tell(inverter.id);
    await at(NOW_MS + 11 * MINUTE_MS);
    expect(await delivered(token)).toMatchObject([
      { state: 'failed', failure: { reason: 'notSetUp' }, target: '' },
      { state: 'failed', failure: { reason: 'notSetUp' }, target: '' },
    ]);
    expect(await droppedFor(account.id)).toEqual(['noChannel', 'noChannel']);
  });

  test('of a test goes by each way of the rule and says what arrived', async () => {
    const { token, ruleID } = await installerWith({ channels: ['inbox', 'email'] });
    const answer = await plants.read(alarmRuleEndpoints.test, { ruleID }, token);
    expect(answer.outcomes).toEqual([
      { channel: 'inbox', target: '', delivered: true, isQueued: false, failure: null },
    ]);
    expect(await inbox(token)).toMatchObject([{ event: 'test', subject: 'Faults' }]);
    expect(await plants.call(alarmRuleEndpoints.test, { ruleID }, token)).toMatchObject({
      errno: errno.tooManyRequests,
    });
  });
});

describe('a rule', () => {
  test('is there for owners and installers from their first day on', async () => {
    const { id } = await plants.addOrganisation('installer');
    for (const level of [1, 2] as const) {
      const token = plants.signIn(await plants.addAccount(id, level));
      const { rules } = await plants.read(alarmRuleEndpoints.list, {}, token);
      expect(rules).toMatchObject([{ name: '', channels: ['inbox'], delayMinutes: 15, can: { edit: true } }]);
    }
    const agent = plants.signIn(await plants.addAccount(id, 3));
    expect((await plants.read(alarmRuleEndpoints.list, {}, agent)).rules).toEqual([]);
  });

  test('that tells somebody else is seen by who is told, who changes nothing of it but can leave it', async () => {
    const { organisation, token, ruleID } = await installerWith();
    const other = await plants.addAccount(organisation.id, 2);
    const otherToken = plants.signInOf(other, organisation.path);
    await plants.read(alarmRuleEndpoints.edit, { ...terms, ruleID, receivers: [other.id] }, token);
    const seen = async () =>
      (await plants.read(alarmRuleEndpoints.list, {}, otherToken)).rules.filter((rule) => rule.ruleID === ruleID);
    expect(await seen()).toMatchObject([{ can: { edit: false, leave: true }, receivers: [{ accountID: other.id }] }]);
    expect(await plants.call(alarmRuleEndpoints.remove, { ruleID }, otherToken)).toMatchObject({
      errno: errno.noPermission,
    });
    await plants.read(alarmRuleEndpoints.leave, { ruleID }, otherToken);
    expect(await seen()).toEqual([]);
    expect(await plants.call(alarmRuleEndpoints.leave, { ruleID }, otherToken)).toMatchObject({
      errno: errno.alarmRuleNotFound,
    });
  });

  test.each([
    ['a daily one without a time', { mode: 'daily' as const }, 'digestAt'],
    ['quiet hours without an end', { quietFrom: '22:00' }, 'quietTo'],
  ])('with %s is refused at its field', async (_, change, path) => {
    const { token } = await installerWith();
    expect(await plants.call(alarmRuleEndpoints.add, { ...terms, ...change }, token)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path }] },
    });
  });

  test('tells nobody of another organisation, and an owner tells nobody else', async () => {
    const { token, organisation } = await installerWith();
    const stranger = await installerWith();
    const told = { ...terms, receivers: [stranger.account.id] };
    expect(await plants.call(alarmRuleEndpoints.add, told, token)).toMatchObject({ errno: errno.receiverUnknown });
    const owner = plants.signIn(await plants.addAccount(organisation.id, 1));
    const colleague = { ...terms, receivers: [(await plants.addAccount(organisation.id, 2)).id] };
    expect(await plants.call(alarmRuleEndpoints.add, colleague, owner)).toMatchObject({ errno: errno.receiverUnknown });
  });

  test('is one of at most twenty of an account', async () => {
    const { token } = await installerWith();
    for (let count = 1; count < MOST_RULES; count += 1) await plants.read(alarmRuleEndpoints.add, terms, token);
    expect(await plants.call(alarmRuleEndpoints.add, terms, token)).toMatchObject({ errno: errno.tooManyAlarmRules });
  });

  test('says before it is saved what it would have told: the same as it then tells', async () => {
    const { token, siteId, logger } = await installerWith({ channels: ['inbox'] });
    for (let count = 0; count < 24; count += 1) {
      const { id } = await plants.addDevice(siteId, logger.id);
      const sinceMs = NOW_MS + count * 4 * MINUTE_MS;
      await tell(id, { sinceMs, ...(count % 3 === 0 && { untilMs: sinceMs + 5 * MINUTE_MS }) });
    }
    for (let minutes = 0; minutes <= 300; minutes += 1) await at(NOW_MS + minutes * MINUTE_MS);
    const messages = await inbox(token);
    const told = await plants.read(alarmRuleEndpoints.preview, terms, token);
    expect(told).toMatchObject({
      deliveries: messages.length,
      incidents: messages.reduce((sum, { count }) => sum + count, 0),
      digests: messages.filter(({ count }) => count > 1).length,
      isMore: false,
    });
    expect(told.days).toHaveLength(30);
    expect(told.days.at(-1)).toMatchObject({ day: '2026-06-16', deliveries: messages.length });
  });
});
