import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { alarmRuleEndpoints } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { errno } from '@sonnenwarte/contract/errors';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookSignature } from '../notifications/delivery.ts';
import type { PlantsFixture } from '../testing/plants-fixture.ts';
import { MINUTE_MS, NOW_MS, RulesFixture } from '../testing/rules-fixture.ts';
import { DELIVER_ALARM, deliverAlarm, type QueuedDelivery } from './deliver.ts';
import { forgetTellings } from './tell.store.ts';

let rules: RulesFixture;
let plants: PlantsFixture;

beforeAll(async () => {
  rules = await RulesFixture.start();
  ({ plants } = rules);
});
afterAll(() => rules.stop());

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
    const { token, inverter, account } = await rules.installerWith({ channels: ['webhook'] });
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
    await rules.tell(inverter.id);
    await rules.at(NOW_MS + 11 * MINUTE_MS);
    const { rows } = await sql<{ payload: QueuedDelivery }>`
      select payload from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
      where tasks.identifier = ${DELIVER_ALARM}`.execute(plants.stores.db);
    const [job] = rows.map(({ payload }) => payload);
    if (job === undefined) throw new Error('nothing is queued');
    failures = 3;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect(deliverAlarm(parts(), job, plants.time.nowMs ?? NOW_MS)).rejects.toThrow();
      expect(await rules.delivered(token)).toMatchObject([
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
    expect(await rules.delivered(token)).toMatchObject([
      { state: 'sent', attempts: 4, failure: null, target: `${base}/hook`, sentMs: NOW_MS + 12 * MINUTE_MS },
    ]);
  });

  test('by mail goes to the confirmed address in the language of its reader, and its outcome is that of the mail', async () => {
    const { token, inverter, account } = await rules.installerWith({ channels: ['email'] });
    await plants.db
      .updateTable('accounts')
      .set({ language: 'de', time_zone: 'Europe/Berlin', email_confirmed_at: new Date(NOW_MS) })
      .where('id', '=', account.id)
      .execute();
    await rules.tell(inverter.id);
    await rules.at(NOW_MS + 11 * MINUTE_MS);
    const mail = await plants.db
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', `${account.id}@example.org`)
      .executeTakeFirstOrThrow();
    expect(mail.subject).toBe('Störung: Übertemperatur – Hof');
    expect(mail.body).toContain('http://localhost/bus/alarm/detail?id=');
    expect(mail.body).toContain('„Faults“');
    expect(await rules.delivered(token)).toMatchObject([
      { channel: 'email', state: 'queued', target: `${account.id}@example.org` },
    ]);
    await plants.db
      .updateTable('mails')
      .set({ sent_at: new Date(NOW_MS + 12 * MINUTE_MS), attempts: 2 })
      .where('id', '=', mail.id)
      .execute();
    expect(await rules.delivered(token)).toMatchObject([
      { state: 'sent', attempts: 2, sentMs: NOW_MS + 12 * MINUTE_MS },
    ]);
  });

  test('by a way that is not set up is none, and is not tried for ever', async () => {
    const { token, inverter, account } = await rules.installerWith({ channels: ['push', 'email'] });
    await rules.tell(inverter.id);
    await rules.at(NOW_MS + 11 * MINUTE_MS);
    expect(await rules.delivered(token)).toMatchObject([
      { state: 'failed', failure: { reason: 'notSetUp' }, target: '' },
      { state: 'failed', failure: { reason: 'notSetUp' }, target: '' },
    ]);
    expect(await rules.droppedFor(account.id)).toEqual(['noChannel', 'noChannel']);
  });

  test('of a test goes by each way of the rule and says what arrived', async () => {
    const { token, ruleID } = await rules.installerWith({ channels: ['inbox', 'email'] });
    const answer = await plants.read(alarmRuleEndpoints.test, { ruleID }, token);
    expect(answer.outcomes).toEqual([
      { channel: 'inbox', target: '', delivered: true, isQueued: false, failure: null },
    ]);
    expect(await rules.inbox(token)).toMatchObject([{ event: 'test', subject: 'Faults' }]);
    expect(await plants.call(alarmRuleEndpoints.test, { ruleID }, token)).toMatchObject({
      errno: errno.tooManyRequests,
    });
  });
});

test('what was told is forgotten after 90 days, but not of what still goes on', async () => {
  const { token, account, inverter } = await rules.installerWith();
  const over = await rules.tell(inverter.id);
  await rules.tell(inverter.id, { code: 3006 });
  await rules.at(NOW_MS + 15 * MINUTE_MS);
  expect(await rules.droppedFor(account.id)).toEqual(['told', 'told']);
  await rules.end(over.id, NOW_MS + 20 * MINUTE_MS);
  await rules.at(NOW_MS + 25 * MINUTE_MS);
  await plants.db
    .updateTable('incidents')
    .set({ state: 'closed', closed_at: new Date(NOW_MS + 90 * MINUTE_MS) })
    .where('state', '=', 'cleared')
    .where('device_id', '=', inverter.id)
    .execute();
  const after = (days: number) => new Date(NOW_MS + days * 86_400_000);
  await forgetTellings(plants.db, after(89), 1_000);
  expect(await rules.droppedFor(account.id)).toHaveLength(2);
  expect(await forgetTellings(plants.db, after(91), 1)).toBe(1);
  expect(await forgetTellings(plants.db, after(91), 1)).toBe(0);
  expect(await rules.droppedFor(account.id)).toEqual(['told']);
  const left = (await rules.incidentsOf(token)).filter(({ state }) => state === 'open');
  expect(left).toMatchObject([{ code: 3006 }]);
});
