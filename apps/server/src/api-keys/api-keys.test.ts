import { createHash } from 'node:crypto';
import { apiKeyEndpoints, MAX_API_KEYS } from '@sonnenwarte/contract/api-keys/api-keys';
import { errno } from '@sonnenwarte/contract/errors';
import { openApiEndpoints } from '@sonnenwarte/contract/open-api/open-api';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSignatureOf, startTestPortal, type TestPortal } from '../testing/portal.ts';
import { callInto } from '../testing/row-locks.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal?.stop());

const { accessCount, plantList, plantDetail, deviceList } = openApiEndpoints;
const page = { currentPage: 1, pageSize: 10 };

async function freshKey(user: string, name: string): Promise<{ id: string; key: string; token: string }> {
  const token = await portal.sessionOf(user);
  const { errno: number, result } = await portal.call(apiKeyEndpoints.create, { name }, { token });
  expect(number).toBe(0);
  return { ...result, token };
}

describe('the signature of the open API', () => {
  test('is the one of the worked example', () => {
    const path = '/op/v0/device/list';
    expect(openSignatureOf(path, 'abc', '1700000000000')).toBe('1e6f25788802deadb8f8241565232f6a');
  });

  test('made with real CR LF bytes is refused with 40256', async () => {
    const key = await portal.apiKeyOf('owner');
    const timestamp = String(Date.now());
    const signature = createHash('md5').update([plantList.path, key, timestamp].join('\r\n')).digest('hex');
    expect(await portal.call(plantList, page, { token: key, timestamp, signature })).toMatchObject({
      errno: errno.badSignature,
    });
  });

  test('with the client id of the web is refused, and headers in any case are taken', async () => {
    const key = await portal.apiKeyOf('owner');
    const timestamp = String(Date.now());
    const signature = openSignatureOf(plantList.path, key, timestamp);
    const withClientId = await portal.call(plantList, page, {
      token: key,
      timestamp,
      signature: `${signature}.5245784`,
    });
    expect(withClientId.errno).toBe(errno.badSignature);
    const response = await fetch(portal.url + plantList.path, {
      method: 'POST',
      headers: { TOKEN: key, Timestamp: timestamp, SIGNATURE: signature, 'Content-Type': 'application/json' },
      body: JSON.stringify(page),
    });
    expect(await response.json()).toMatchObject({ errno: 0, msg: 'success' });
  });
});

describe('an API key', () => {
  test('is shown once: of it only its hash and its first characters are kept', async () => {
    const { id, key, token } = await freshKey('owner', 'Home Assistant');
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const { result } = await portal.call(apiKeyEndpoints.list, {}, { token });
    expect(JSON.stringify(result)).not.toContain(key);
    expect(result.keys.find((each) => each.id === id)).toMatchObject({
      name: 'Home Assistant',
      prefix: key.slice(0, 8),
      lastUsedMs: null,
      calls: 0,
    });
    const rows = await portal.server.stores.db.selectFrom('api_keys').selectAll().where('id', '=', id).execute();
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  test('reads what its account sees, in the fields of the open API', async () => {
    const { key, token } = await freshKey('owner', 'reader');
    const plants = await portal.call(plantList, page, { token: key });
    const own = await portal.call(siteEndpoints.list, {}, { token });
    expect(plants.result.total).toBe(own.result.total);
    expect(plants.result.data).toEqual(
      own.result.plants.map(({ stationID, name, ianaTimezone }) => ({ stationID, name, ianaTimezone })),
    );
    const id = plants.result.data[0]?.stationID ?? '';
    const detail = await portal.call(plantDetail, { id }, { token: key });
    expect(detail.result).toMatchObject({
      stationName: plants.result.data[0]?.name,
      timezone: 'Europe/Berlin',
      createDate: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z+0-9]+[+-]\d{4}$/),
    });
    const devices = await portal.call(deviceList, page, { token: key });
    expect(detail.result.modules).toEqual(
      devices.result.data
        .filter((device) => device.stationID === id)
        .map(({ moduleSN, deviceSN }) => ({ moduleSN, deviceSN })),
    );
    expect(devices.result.data.length).toBeGreaterThan(0);
  });

  test('does not find the plant of a stranger', async () => {
    const strangers = await portal.call(
      siteEndpoints.list,
      { pageSize: 50 },
      { token: await portal.sessionOf('admin') },
    );
    const own = await portal.call(siteEndpoints.list, {}, { token: await portal.sessionOf('owner') });
    const ids = own.result.plants.map(({ stationID }) => stationID);
    const id = strangers.result.plants.find(({ stationID }) => !ids.includes(stationID))?.stationID ?? '';
    const refused = await portal.call(plantDetail, { id }, { token: await portal.apiKeyOf('owner') });
    expect(refused.errno).toBe(errno.siteNotFound);
  });

  test('opens no session, and a session token opens no open API', async () => {
    const { key, token } = await freshKey('owner', 'elsewhere');
    expect((await portal.call(siteEndpoints.list, {}, { token: key })).errno).toBe(errno.tokenInvalid);
    expect((await portal.call(plantList, page, { token })).errno).toBe(errno.tokenInvalid);
  });

  test('is refused once it is revoked, and nobody else can revoke it', async () => {
    const { id, key, token } = await freshKey('owner', 'short-lived');
    const stranger = await portal.sessionOf('installer');
    expect((await portal.call(apiKeyEndpoints.revoke, { id }, { token: stranger })).errno).toBe(errno.apiKeyNotFound);
    expect((await portal.call(accessCount, {}, { token: key })).errno).toBe(0);
    expect((await portal.call(apiKeyEndpoints.revoke, { id }, { token })).errno).toBe(0);
    expect((await portal.call(plantList, page, { token: key })).errno).toBe(errno.tokenInvalid);
    expect((await portal.call(apiKeyEndpoints.revoke, { id }, { token })).errno).toBe(errno.apiKeyNotFound);
  });

  test('of a disabled account or organisation is refused', async () => {
    const { db } = portal.server.stores;
    const key = await portal.apiKeyOf('installer');
    const { id, organisation_id } = await db
      .selectFrom('accounts')
      .select(['id', 'organisation_id'])
      .where('username', '=', 'installer')
      .executeTakeFirstOrThrow();
    const ask = async () => (await portal.call(deviceList, page, { token: key })).errno;
    await db.updateTable('accounts').set({ disabled_at: new Date() }).where('id', '=', id).execute();
    expect(await ask()).toBe(errno.tokenInvalid);
    await db.updateTable('accounts').set({ disabled_at: null }).where('id', '=', id).execute();
    await db.updateTable('organisations').set({ disabled_at: new Date() }).where('id', '=', organisation_id).execute();
    expect(await ask()).toBe(errno.tokenInvalid);
    await db.updateTable('organisations').set({ disabled_at: null }).where('id', '=', organisation_id).execute();
    expect(await ask()).toBe(0);
  });

  test('is refused where its account has ten already, also when they are made at once', async () => {
    const token = await portal.sessionOf('agent');
    const answers = await Promise.all(
      Array.from({ length: MAX_API_KEYS + 2 }, (_, place) =>
        portal.call(apiKeyEndpoints.create, { name: `key ${place}` }, { token }),
      ),
    );
    expect(answers.filter((answer) => answer.errno === 0)).toHaveLength(MAX_API_KEYS);
    expect(answers.filter((answer) => answer.errno === errno.tooManyApiKeys)).toHaveLength(2);
  });

  test.each(['', 'x'.repeat(33), 'a\u0000b', 'a\nb'])('with the name %j is refused', async (name) => {
    const refused = await portal.call(apiKeyEndpoints.create, { name }, { token: await portal.sessionOf('owner') });
    expect(refused).toMatchObject({ errno: errno.refusedInput, result: { fields: [{ path: 'name' }] } });
  });

  test('leaves its making and its end in the audit log, without the key', async () => {
    const { id, key, token } = await freshKey('owner', 'told');
    await portal.call(apiKeyEndpoints.revoke, { id }, { token });
    const entries = await portal.server.stores.db
      .selectFrom('audit_log')
      .select(['action', 'record_name', 'after', 'before'])
      .where('record_id', '=', id)
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(['api-keys.create', 'api-keys.revoke']);
    expect(JSON.stringify(entries)).not.toContain(key);
  });
});

describe('the quota', () => {
  const quotaOf = (response: Response) => ({
    total: Number(response.headers.get('x-quota-total')),
    remaining: Number(response.headers.get('x-quota-remaining')),
  });

  const today = () => new Date().toISOString().slice(0, 10);
  /** Sets what the keys of `owner` have called today together. */
  const spend = async (calls: number) => {
    const { db } = portal.server.stores;
    const owner = db.selectFrom('accounts').select('id').where('username', '=', 'owner');
    await db
      .insertInto('account_calls')
      .values({ account_id: owner as unknown as string, day: today(), calls })
      .onConflict((conflict) => conflict.columns(['account_id', 'day']).doUpdateSet({ calls }))
      .execute();
  };

  beforeEach(async () => {
    await portal.server.stores.db.updateTable('api_keys').set({ revoked_at: new Date() }).execute();
    await portal.server.stores.db.deleteFrom('account_calls').execute();
  });

  test('is 1440 calls for each inverter in scope, counts every call but the question for it, and is in every answer', async () => {
    const { key, id, token } = await freshKey('owner', 'counted');
    const { result: before } = await portal.call(apiKeyEndpoints.list, {}, { token });
    const devices = await portal.call(deviceList, page, { token: key });
    expect(before.dailyLimit).toBe(1_440 * devices.result.total);
    const response = await portal.fetch(plantList, page, { token: key });
    expect(quotaOf(response)).toEqual({ total: before.dailyLimit, remaining: before.dailyLimit - 2 });
    expect((await portal.call(accessCount, {}, { token: key })).result).toEqual({
      total: before.dailyLimit,
      remaining: before.dailyLimit - 2,
    });
    const { result } = await portal.call(apiKeyEndpoints.list, {}, { token });
    expect(result.keys.find((each) => each.id === id)).toMatchObject({
      calls: 2,
      endpoints: [
        { path: deviceList.path, calls: 1 },
        { path: plantList.path, calls: 1 },
      ],
    });
    expect(new Date(result.resetsAtMs).toISOString()).toMatch(/T00:00:00\.000Z$/);
  });

  test('is one for all keys of an account, and what a revoked key has used stays used', async () => {
    const keys = await Promise.all([1, 2, 3].map((number) => freshKey('owner', `shared ${number}`)));
    for (const { key } of keys) expect((await portal.call(plantList, page, { token: key })).errno).toBe(0);
    const [first, second] = keys;
    const token = first?.token ?? '';
    await portal.call(apiKeyEndpoints.revoke, { id: first?.id ?? '' }, { token });
    const { result } = await portal.call(apiKeyEndpoints.list, {}, { token });
    expect(result.remaining).toBe(result.dailyLimit - 3);
    expect((await portal.call(accessCount, {}, { token: second?.key ?? '' })).result).toEqual({
      total: result.dailyLimit,
      remaining: result.dailyLimit - 3,
    });
  });

  test('lets through no more calls than are left, though many come at the same moment with several keys', async () => {
    const { db } = portal.server.stores;
    const keys = await Promise.all([1, 2, 3, 4].map((number) => freshKey('owner', `racing ${number}`)));
    const { result } = await portal.call(apiKeyEndpoints.list, {}, { token: keys[0]?.token ?? '' });
    await spend(result.dailyLimit - 3);
    // All of them stand before the count until the last has come.
    const answers = await db.transaction().execute(async (tx) => {
      await tx.selectFrom('account_calls').select('calls').forUpdate().execute();
      const waiting = [];
      for (const { key } of keys) {
        for (const endpoint of [plantList, deviceList]) {
          waiting.push((await callInto(db, () => portal.call(endpoint, page, { token: key }))).answer);
        }
      }
      return waiting;
    });
    const numbers = (await Promise.all(answers)).map((answer) => answer.errno);
    expect(numbers.filter((number) => number === 0)).toHaveLength(3);
    expect(numbers.filter((number) => number === errno.quotaUsedUp)).toHaveLength(5);
  });

  test('used up answers 40402 with nothing remaining, and is there again on the next day', async () => {
    const { key } = await freshKey('owner', 'spent');
    const { db } = portal.server.stores;
    await spend(100_000);
    const response = await portal.fetch(plantList, page, { token: key });
    expect(quotaOf(response).remaining).toBe(0);
    expect(await response.json()).toMatchObject({ errno: errno.quotaUsedUp });
    expect((await portal.call(accessCount, {}, { token: key })).result.remaining).toBe(0);
    await db.updateTable('account_calls').set({ day: '2026-01-01' }).execute();
    expect((await portal.call(deviceList, page, { token: key })).errno).toBe(0);
  });

  test('is not used by a call that comes within the same second: that one is answered 40400', async () => {
    const key = await portal.apiKeyOf('distributor');
    const answers = await Promise.all(Array.from({ length: 8 }, () => portal.call(plantList, page, { token: key })));
    expect(answers.filter((answer) => answer.errno === errno.tooManyRequests).length).toBeGreaterThanOrEqual(1);
    const counted = answers.filter((answer) => answer.errno === 0).length;
    const { result } = await portal.call(accessCount, {}, { token: key });
    expect(result.total - result.remaining).toBe(counted);
  });
});
