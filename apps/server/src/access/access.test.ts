import { checkEndpoints } from '@sonnenwarte/contract/check';
import type { Endpoint, RecordKind } from '@sonnenwarte/contract/endpoint';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import { errno } from '@sonnenwarte/contract/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccounts, integratorInverters } from '../demo/tenancy.ts';
import type { Answer, TestPortal } from '../testing/portal.ts';
import { startTestPortal } from '../testing/portal.ts';
import { sampleInput } from '../testing/sample-input.ts';

const missingId = '11111111-1111-4111-8111-111111111111';
/** Answers that say nothing of access: the call got past the checks and was judged by what it asks for. */
const accessNumbers: readonly number[] = [
  errno.tokenInvalid,
  errno.tokenExpired,
  errno.sessionEnded,
  errno.noPermission,
  errno.badSignature,
];

let portal: TestPortal;
/** Per account: a record of each kind that is its own, and one that is not. */
const records = new Map<string, Record<'own' | 'strangers', Partial<Record<RecordKind, string>>>>();

beforeAll(async () => {
  portal = await startTestPortal();
  const { db } = portal.server.stores;
  const sites = await db.selectFrom('sites').select(['id', 'name']).orderBy('key').execute();
  const devices = await db
    .selectFrom('devices')
    .select(['id', 'sn', 'site_id', 'kind'])
    .where('kind', '=', 'inverter')
    .orderBy('key')
    .execute();
  const site = (index: number) => sites.at(index)?.id ?? '';
  const inverterOf = (index: number) => devices.find((device) => device.site_id === site(index))?.id ?? '';
  const inverter = (sn: string | undefined) => devices.find((device) => device.sn === sn)?.id ?? '';
  const strangers: Record<string, number> = { owner: 2, installer: 5, agent: 8, distributor: 10 };
  for (const { user } of demoAccounts) {
    const far = strangers[user];
    records.set(user, {
      own: { site: site(0), device: user === 'integrator' ? inverter(integratorInverters[0]) : inverterOf(0) },
      strangers: { site: site(far ?? 11), device: inverterOf(far ?? 11) },
    });
  }
  // Nobody's site is out of the platform's sight until it is deleted.
  await db.updateTable('sites').set({ deleted_at: new Date() }).where('id', '=', site(11)).execute();
});

afterAll(() => portal?.stop());

async function answer(
  endpoint: Endpoint,
  input: Record<string, unknown>,
  token: string,
): Promise<Answer<unknown> | 'stream'> {
  const leave = new AbortController();
  const response = await portal.fetch(endpoint, input, { token, signal: leave.signal });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    leave.abort();
    return 'stream';
  }
  expect(response.status).toBe(200);
  return { status: response.status, ...((await response.json()) as { errno: number; msg: string; result: unknown }) };
}

const withRecord = (
  endpoint: Endpoint,
  ids: Partial<Record<RecordKind, string>> | 'missing',
): Record<string, unknown> => {
  const named = Object.entries(endpoint.names ?? {}).map(([field, kind]) => [
    field,
    ids === 'missing' ? missingId : ids[kind],
  ]);
  return { ...sampleInput(endpoint), ...Object.fromEntries(named) };
};

describe.each(allEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_, endpoint) => {
    const signed = endpoint.signed !== false;

    if (signed)
      test('refuses a signature that does not fit', async () => {
        const refused = await portal.call(endpoint, withRecord(endpoint, 'missing'), {
          signature: `${'0'.repeat(32)}.5245784`,
        });
        expect(refused.errno).toBe(errno.badSignature);
      });

    if (signed)
      test('refuses a timestamp six minutes old', async () => {
        const refused = await portal.call(endpoint, withRecord(endpoint, 'missing'), {
          timestamp: String(Date.now() - 360_000),
        });
        expect(refused.errno).toBe(errno.badSignature);
      });

    if (endpoint.callers !== 'public')
      test('refuses a caller without a session, with an unknown, an expired and an ended one', async () => {
        const input = withRecord(endpoint, 'missing');
        const { db } = portal.server.stores;
        const expired = await portal.sessionOf('admin');
        await db
          .updateTable('sessions')
          .set({ expires_at: new Date(0) })
          .where('ended_at', 'is', null)
          .execute();
        expect(await answer(endpoint, input, '')).toMatchObject({ errno: errno.tokenInvalid });
        expect(await answer(endpoint, input, 'x'.repeat(43))).toMatchObject({ errno: errno.tokenInvalid });
        expect(await answer(endpoint, input, expired)).toMatchObject({ errno: errno.tokenExpired });
        await db.updateTable('sessions').set({ ended_at: new Date() }).execute();
        expect(await answer(endpoint, input, expired)).toMatchObject({ errno: errno.sessionEnded });
      });

    test.each(demoAccounts.map(({ user, level }) => [level, user] as const))('level %i (%s)', async (level, user) => {
      const { own, strangers } = records.get(user) ?? { own: {}, strangers: {} };
      const may = endpoint.callers === 'public' || endpoint.callers.some((allowed) => allowed === level);
      const ask = async (ids: Partial<Record<RecordKind, string>> | 'missing') =>
        answer(endpoint, withRecord(endpoint, ids), await portal.sessionOf(user));
      const ofOwn = await ask(own);
      if (!may) {
        expect(ofOwn).toMatchObject({ errno: errno.noPermission, result: null });
        return;
      }
      if (ofOwn !== 'stream') expect(accessNumbers).not.toContain(ofOwn.errno);
      if (!endpoint.names) return;
      expect(ofOwn).toMatchObject({ errno: 0 });
      const ofMissing = await ask('missing');
      expect(ofMissing).not.toMatchObject({ errno: 0 });
      expect(await ask(strangers)).toEqual(ofMissing);
    });
  },
);

describe('the contract check', () => {
  const [sound] = allEndpoints;

  test('finds nothing wrong with the contract', () => {
    expect(checkEndpoints(allEndpoints)).toEqual([]);
  });

  test.each([
    ['no callers', { callers: undefined }],
    ['an empty list of callers', { callers: [] }],
    ['a level that does not exist', { callers: [5] }],
    ['an unknown permission code', { code: 'everything:do' }],
    ['a code that its callers cannot hold', { callers: [1], code: 'member:add' }],
  ])('finds an endpoint with %s', (_, change) => {
    const planted = { ...sound, ...change } as unknown as Endpoint;
    expect(checkEndpoints([planted])).toHaveLength(1);
  });
});
