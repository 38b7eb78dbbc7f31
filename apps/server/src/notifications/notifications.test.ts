import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { apiKeyEndpoints } from '@sonnenwarte/contract/api-keys/api-keys';
import { errno } from '@sonnenwarte/contract/errors';
import { MAX_CHANNELS, notificationEndpoints } from '@sonnenwarte/contract/notifications/notifications';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { md5Hex } from '../accounts/passwords.ts';
import { takeOf } from '../attempts/attempts.store.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { newBrowser } from '../testing/push-browser.ts';
import { webhookSignature } from './delivery.ts';

interface Arrived {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

let portal: TestPortal;
let receiver: Server;
let base: string;
let status = 200;

beforeAll(async () => {
  portal = await startTestPortal({ WEBHOOK_PRIVATE: 'on' });
  // Sent mails keep their text, for the tests to read.
  await portal.server.stores.asOwner(async (owner) => {
    await sql`create function keep_body() returns trigger language plpgsql as
      $$ begin new.body := old.body; return new; end $$`.execute(owner);
    await sql`create trigger keep_body before update on mails for each row execute function keep_body()`.execute(owner);
  });
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(status).end();
      receiver.emit('arrived', { url: request.url, headers: request.headers, body: Buffer.concat(chunks) });
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await portal?.stop();
  receiver?.close();
});
beforeEach(() => {
  status = 200;
});
afterEach(async () => {
  await portal.server.stores.db.deleteFrom('notification_channels').execute();
});

const { list, addEmail, addWebhook, addPush, enable, remove } = notificationEndpoints;
const testChannel = notificationEndpoints.test;

const nextArrival = async (): Promise<Arrived> => {
  const [arrived] = (await once(receiver, 'arrived')) as [Arrived];
  return arrived;
};

const channelsOf = async (token: string) => (await portal.call(list, {}, { token })).result.channels;

test('a webhook gets what is told, signed with its secret and a time', async () => {
  const token = await portal.sessionOf('owner');
  const added = await portal.call(addWebhook, { name: 'House', url: `${base}/hook?house=1` }, { token });
  expect(added.errno).toBe(0);
  const arrival = nextArrival();
  await portal.call(apiKeyEndpoints.create, { name: 'Home Assistant' }, { token });
  const { url, headers, body } = await arrival;
  expect(url).toBe('/hook?house=1');
  const timestamp = String(headers['x-sonnenwarte-timestamp']);
  expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(60);
  expect(headers['x-sonnenwarte-signature']).toBe(webhookSignature(added.result.secret, timestamp, body.toString()));
  expect(JSON.parse(body.toString())).toMatchObject({
    kind: 'apiKeyCreated',
    user: 'owner',
    detail: { name: 'Home Assistant' },
  });
});

test('the secret of a webhook is in no later answer and in no audit entry', async () => {
  const token = await portal.sessionOf('owner');
  const { result } = await portal.call(addWebhook, { name: 'House', url: `${base}/hook?key=abc` }, { token });
  expect(result.secret).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(await channelsOf(token))).not.toContain(result.secret);
  const entries = await portal.server.stores.db
    .selectFrom('audit_log')
    .select(['action', 'after', 'record_name'])
    .where('record_id', '=', result.id)
    .execute();
  expect(entries).toEqual([
    { action: 'notifications.addChannel', after: { kind: 'webhook', target: `${base}/hook` }, record_name: 'House' },
  ]);
});

test('web push gets what is told, readable by its browser alone', async () => {
  const token = await portal.sessionOf('owner');
  const browser = newBrowser();
  const endpoint = `${base}/push/abc`;
  expect((await portal.call(addPush, { name: 'Phone', endpoint, keys: browser.keys }, { token })).errno).toBe(0);
  const { pushKey } = (await portal.call(list, {}, { token })).result;
  const arrival = nextArrival();
  const { id = '' } = (await channelsOf(token))[0] ?? {};
  expect((await portal.call(testChannel, { id }, { token })).result).toEqual({ delivered: true, failure: null });
  const { headers, body } = await arrival;
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' });
  expect(headers.authorization).toContain(`k=${pushKey}`);
  expect(JSON.parse(browser.read(body))).toMatchObject({ title: 'Testnachricht', lang: 'de' });
});

test.each([
  ['is no point of the curve', Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)])],
  ['is compressed', Buffer.concat([Buffer.from([2]), Buffer.alloc(64, 1)])],
])('web push of a browser whose key %s is refused at that field', async (_, point) => {
  const token = await portal.sessionOf('owner');
  const keys = { ...newBrowser().keys, p256dh: point.toString('base64url') };
  const refused = await portal.call(addPush, { name: '', endpoint: `${base}/push/x`, keys }, { token });
  expect(refused).toMatchObject({
    errno: errno.refusedInput,
    result: { fields: [{ path: 'keys.p256dh', reason: 'wrong' }] },
  });
  expect(await channelsOf(token)).toEqual([]);
});

test('a stored key that is no point of the curve fails the delivery, which is not tried again', async () => {
  const token = await portal.sessionOf('owner');
  const { result } = await portal.call(
    addPush,
    { name: '', endpoint: `${base}/push/x`, keys: newBrowser().keys },
    { token },
  );
  const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  await portal.server.stores.db
    .updateTable('notification_channels')
    .set({ target: sql`jsonb_set(target, '{keys,p256dh}', to_jsonb(${p256dh}::text))` })
    .where('id', '=', result.id)
    .execute();
  const tried = await portal.call(testChannel, { id: result.id }, { token });
  expect(tried).toMatchObject({
    errno: 0,
    result: { delivered: false, failure: { reason: 'browserKey', status: null } },
  });
  await portal.call(apiKeyEndpoints.create, { name: 'k' }, { token });
  await expect.poll(() => channelsOf(token)).toMatchObject([{ enabled: false, lastFailure: { reason: 'browserKey' } }]);
});

test('the list shows a webhook without its query and writes nothing', async () => {
  const token = await portal.sessionOf('owner');
  await portal.call(addWebhook, { name: '', url: `${base}/hook?key=secret#part` }, { token });
  const { db } = portal.server.stores;
  const shown = await portal.server.stores.asOwner(async (owner) => {
    await sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'written'; end $$`.execute(owner);
    await sql`create trigger refuse before insert or update on process_state execute function refuse()`.execute(owner);
    const answer = await portal.call(list, {}, { token });
    await sql`drop function refuse cascade`.execute(owner);
    return answer;
  });
  expect(shown).toMatchObject({ errno: 0, result: { channels: [{ target: `${base}/hook` }] } });
  const { rows } = await sql`select 1 from audit_log where record_name like '%secret%'`.execute(db);
  expect(rows).toEqual([]);
});

test('push of a browser that has ended its subscription is switched off', async () => {
  const token = await portal.sessionOf('owner');
  status = 410;
  await portal.call(addPush, { name: 'Phone', endpoint: `${base}/push/gone`, keys: newBrowser().keys }, { token });
  const arrival = nextArrival();
  await portal.call(apiKeyEndpoints.create, { name: 'a' }, { token });
  await arrival;
  await expect.poll(() => channelsOf(token)).toMatchObject([{ enabled: false, lastFailure: { reason: 'gone' } }]);
});

test('a failing channel shows what went wrong and when, and forgets it once something arrives', async () => {
  const token = await portal.sessionOf('owner');
  status = 503;
  const { result } = await portal.call(addWebhook, { name: '', url: `${base}/hook` }, { token });
  const failed = await portal.call(testChannel, { id: result.id }, { token });
  expect(failed.result).toEqual({ delivered: false, failure: { reason: 'status', status: 503 } });
  expect(await channelsOf(token)).toMatchObject([
    { lastFailure: { reason: 'status', status: 503 }, lastFailureMs: expect.any(Number), lastDeliveredMs: null },
  ]);
  expect((await portal.call(testChannel, { id: result.id }, { token })).errno).toBe(errno.tooManyRequests);
  status = 200;
  const arrival = nextArrival();
  await portal.call(apiKeyEndpoints.create, { name: 'b' }, { token });
  await arrival;
  await expect
    .poll(() => channelsOf(token))
    .toMatchObject([{ lastFailure: null, lastFailureMs: null, lastDeliveredMs: expect.any(Number) }]);
});

test('nothing is sent on a channel that is switched off', async () => {
  const token = await portal.sessionOf('owner');
  const off = await portal.call(addWebhook, { name: 'off', url: `${base}/off` }, { token });
  await portal.call(enable, { id: off.result.id, enabled: false }, { token });
  await portal.call(addWebhook, { name: 'on', url: `${base}/on` }, { token });
  const arrival = nextArrival();
  await portal.call(apiKeyEndpoints.create, { name: 'c' }, { token });
  expect((await arrival).url).toBe('/on');
  const jobs = await portal.server.stores.db
    .selectFrom('notification_channels')
    .select('last_delivered_at')
    .where('id', '=', off.result.id)
    .execute();
  expect(jobs).toEqual([{ last_delivered_at: null }]);
});

test('security notices go to the address of the account without any channel, in its language, and to further addresses', async () => {
  const token = await portal.sessionOf('owner');
  await portal.call(addEmail, { name: 'Office', address: 'office@example.com' }, { token });
  await portal.call(apiKeyEndpoints.create, { name: 'told "<b>key</b>"' }, { token });
  const { email } = (await portal.call(accountEndpoints.info, {}, { token })).result;
  const mails = await portal.server.stores.db
    .selectFrom('mails')
    .select(['recipient', 'subject', 'body'])
    .where('body', 'like', '%told%')
    .orderBy('recipient')
    .execute();
  expect(mails.map(({ recipient }) => recipient)).toEqual([email, 'office@example.com'].sort());
  expect(mails[0]).toMatchObject({ subject: 'Neuer API-Schlüssel', body: expect.stringContaining('127.0.0.1') });
});

test('a stranger’s address gets ten mails a day at most, whoever adds it, tries it and removes it again', async () => {
  const address = 'stranger@example.com';
  const { db } = portal.server.stores;
  const delivered: boolean[] = [];
  for (let round = 0; round < 12; round += 1) {
    const token = await portal.sessionOf(round % 2 === 0 ? 'owner' : 'admin');
    const { result } = await portal.call(addEmail, { name: '', address: address.toUpperCase() }, { token });
    const tried = await portal.call(testChannel, { id: result.id }, { token });
    if (!tried.result.delivered) expect(tried.result.failure).toEqual({ reason: 'addressLimit', status: null });
    delivered.push(tried.result.delivered);
    await portal.call(remove, { id: result.id }, { token });
  }
  expect(delivered).toEqual([...Array(10).fill(true), false, false]);
  const token = await portal.sessionOf('owner');
  await portal.call(addEmail, { name: '', address }, { token });
  await portal.call(apiKeyEndpoints.create, { name: 'more mail' }, { token });
  const mails = await db.selectFrom('mails').select('id').where('recipient', 'ilike', address).execute();
  expect(mails).toHaveLength(10);
  expect(await channelsOf(token)).toMatchObject([{ lastFailure: { reason: 'addressLimit' }, lastDeliveredMs: null }]);
});

test('an account adds fifty channels a day at most, with removed ones among them', async () => {
  const token = await portal.sessionOf('distributor');
  const added: number[] = [];
  for (let round = 0; round < 51; round += 1) {
    const answer = await portal.call(addWebhook, { name: '', url: `${base}/hook` }, { token });
    added.push(answer.errno);
    if (answer.errno === 0) await portal.call(remove, { id: answer.result.id }, { token });
  }
  expect(added).toEqual([...Array(50).fill(0), errno.tryLater]);
});

test('an account tries channels sixty times a day at most, whichever they are', async () => {
  const token = await portal.sessionOf('installer');
  const { result } = await portal.call(addWebhook, { name: '', url: `${base}/hook` }, { token });
  const { db } = portal.server.stores;
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', 'installer')
    .executeTakeFirstOrThrow();
  for (let n = 0; n < 60; n += 1) await takeOf(db, { kind: 'channel.test', most: 60, windowMs: 86_400_000 }, id);
  const refused = await portal.call(testChannel, { id: result.id }, { token });
  expect(refused).toMatchObject({ errno: errno.tryLater, result: { retryAfterMs: expect.any(Number) } });
});

test('an address that its account has not confirmed gets no notices', async () => {
  const { db } = portal.server.stores;
  const confirm = (email_confirmed_at: Date | null) =>
    db.updateTable('accounts').set({ email_confirmed_at }).where('username', '=', 'installer').execute();
  await confirm(null);
  const token = await portal.sessionOf('installer');
  const { email } = (await portal.call(accountEndpoints.info, {}, { token })).result;
  const told = () => db.selectFrom('mails').select('recipient').where('recipient', '=', email).execute();
  await portal.call(apiKeyEndpoints.create, { name: 'key of mine' }, { token });
  expect(await told()).toEqual([]);
  expect((await portal.call(list, {}, { token })).result).toMatchObject({ accountEmailConfirmed: false });
  await confirm(new Date());
  await portal.call(apiKeyEndpoints.create, { name: 'key of mine 2' }, { token });
  expect(await told()).toHaveLength(1);
});

test('a sign-in from another device is told, one from a known device is not', async () => {
  const { db } = portal.server.stores;
  const signIn = (userAgent: string) =>
    portal.call(
      accountEndpoints.login,
      { user: 'agent', password: md5Hex('sonnenwarte') },
      { headers: { 'user-agent': userAgent } },
    );
  const told = () => db.selectFrom('mails').select('body').where('subject', '=', 'Neue Anmeldung').execute();
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
  await signIn(firefox);
  await signIn(firefox.replaceAll('143', '144'));
  expect(await told()).toEqual([]);
  await signIn('Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1');
  expect(await told()).toEqual([{ body: expect.stringContaining('Safari, iPhone') }]);
});

test('a changed password is told', async () => {
  const token = await portal.sessionOf('integrator');
  const changed = await portal.call(
    accountEndpoints.changePassword,
    { oldPassword: 'sonnenwarte', newPassword: 'sonne-satt' },
    { token },
  );
  expect(changed.errno).toBe(0);
  const { db } = portal.server.stores;
  const told = await db.selectFrom('mails').select('recipient').where('subject', '=', 'Passwort geändert').execute();
  expect(told).toHaveLength(1);
});

describe('without WEBHOOK_PRIVATE', () => {
  let shut: TestPortal;
  beforeAll(async () => {
    shut = await startTestPortal();
  });
  afterAll(() => shut?.stop());

  test.each([
    'http://example.com/hook',
    'http://127.0.0.1:8080/hook',
    'http://localhost/hook',
    'https://127.0.0.1/hook',
    'https://192.168.1.1/hook',
    'https://[fd00::1]/',
    'https://localhost/hook',
    'https://u:p@example.com/',
  ])('the webhook %s is refused at its field', async (url) => {
    const token = await shut.sessionOf('owner');
    const refused = await shut.call(addWebhook, { name: 'x', url }, { token });
    expect(refused).toMatchObject({ errno: errno.refusedInput, result: { fields: [{ path: 'url' }] } });
    expect((await shut.call(list, {}, { token })).result.channels).toEqual([]);
  });

  test('nothing is sent to this machine on a channel from before either', async () => {
    const token = await shut.sessionOf('owner');
    const { db } = shut.server.stores;
    const { id } = await db
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', 'owner')
      .executeTakeFirstOrThrow();
    const target = JSON.stringify({ url: `${base}/hook`, secret: 'x'.repeat(64) });
    const channel = await db
      .insertInto('notification_channels')
      .values({ account_id: id, kind: 'webhook', name: 'old', target, last_delivered_at: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    let arrived = false;
    const note = () => {
      arrived = true;
    };
    receiver.on('arrived', note);
    const tried = await shut.call(testChannel, { id: channel.id }, { token });
    receiver.off('arrived', note);
    expect(tried.result).toMatchObject({ delivered: false, failure: { reason: 'addressRefused' } });
    expect(arrived).toBe(false);
  });
});

test('an account has at most ten channels, and touches no other account’s', async () => {
  const token = await portal.sessionOf('owner');
  const answers = await Promise.all(
    Array.from({ length: MAX_CHANNELS + 1 }, (_, place) =>
      portal.call(addEmail, { name: '', address: `a${place}@example.com` }, { token }),
    ),
  );
  expect(answers.map((answer) => answer.errno).sort()).toEqual([...Array(MAX_CHANNELS).fill(0), errno.tooManyChannels]);
  const id = answers.find((answer) => answer.errno === 0)?.result.id ?? '';
  const stranger = await portal.sessionOf('installer');
  expect(await channelsOf(stranger)).toEqual([]);
  for (const refused of [
    await portal.call(enable, { id, enabled: false }, { token: stranger }),
    await portal.call(testChannel, { id }, { token: stranger }),
    await portal.call(remove, { id }, { token: stranger }),
  ]) {
    expect(refused.errno).toBe(errno.channelNotFound);
  }
  expect((await portal.call(remove, { id }, { token })).errno).toBe(0);
  expect(await channelsOf(token)).toHaveLength(MAX_CHANNELS - 1);
});
