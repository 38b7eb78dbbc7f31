import { writeFileSync } from 'node:fs';
import { checkEndpoints } from '@sonnenwarte/contract/check';
import { codesOfCall, type Endpoint, writes } from '@sonnenwarte/contract/endpoint';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import { errno } from '@sonnenwarte/contract/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answers, endpointPartOf, endpointSection, writtenAccess } from '../../../../scripts/access-doc.ts';
import { hashToken } from '../accounts/sessions.ts';
import { demoAccounts } from '../demo/tenancy.ts';
import type { Answer, CallOptions, TestPortal } from '../testing/portal.ts';
import { startTestPortal } from '../testing/portal.ts';
import type { Whose } from '../testing/record-places.ts';
import { RecordMaker } from '../testing/records.ts';
import { sampleInput } from '../testing/sample-input.ts';

const missingId = '11111111-1111-4111-8111-111111111111';
/** From here on numbers are ours, each for one rule of one feature. */
const FIRST_OWN_ERRNO = 42_100;
/** Answers that say nothing of access: the call got past the checks and was judged by what it asks for. */
const accessNumbers: readonly number[] = [
  errno.tokenInvalid,
  errno.tokenExpired,
  errno.sessionEnded,
  errno.noPermission,
  errno.badSignature,
  errno.readOnlyView,
  errno.passwordMustChange,
];

type Answered = Answer<unknown> | 'stream' | 'file';

let portal: TestPortal;
let records: RecordMaker;

let calls = 0;

/** Calls of a portal that each come from another network: so many from one would be refused. */
function fromEverywhere(one: TestPortal): TestPortal {
  const elsewhere = <Options extends CallOptions>(options?: Options) => {
    calls += 1;
    const address = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`;
    return { ...options, headers: { ...options?.headers, 'x-forwarded-for': address } };
  };
  return {
    ...one,
    call: (endpoint, input, options) => one.call(endpoint, input, elsewhere(options)),
    fetch: (endpoint, input, options) => one.fetch(endpoint, input, elsewhere(options)),
  };
}

beforeAll(async () => {
  portal = fromEverywhere(await startTestPortal({ TRUSTED_PROXIES: '127.0.0.1' }));
  records = await RecordMaker.open(portal.server.stores.db);
});

afterAll(() => portal?.stop());

async function answer(endpoint: Endpoint, input: Record<string, unknown>, token: string): Promise<Answered> {
  const leave = new AbortController();
  const response = await portal.fetch(endpoint, input, { token, signal: leave.signal });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    leave.abort();
    return 'stream';
  }
  if (response.headers.has('content-disposition')) {
    await response.arrayBuffer();
    return 'file';
  }
  expect(response.status).toBe(200);
  return { status: response.status, ...((await response.json()) as { errno: number; msg: string; result: unknown }) };
}

/** What lets an account call the endpoint: a key for the open API, else a session. */
const tokenOf = (endpoint: Endpoint, user: string): Promise<string> =>
  endpoint.auth === 'apiKey' ? portal.apiKeyOf(user) : portal.sessionOf(user);

const isTaken = ({ input }: Endpoint, given: object): boolean => input.safeParse(given).success;

/** An input that the endpoint accepts, naming records of the account, of strangers, or such as do not exist. */
async function inputOf(endpoint: Endpoint, user: string, whose: Whose | 'missing'): Promise<Record<string, unknown>> {
  const named = await Promise.all(
    Object.entries(endpoint.names ?? {}).map(async ([field, kind]) => [
      field,
      whose === 'missing' ? missingId : await records.make(kind, user, whose),
    ]),
  );
  const sample = sampleInput(endpoint);
  const fitting = named.map(([field = '', id]) => {
    // What may be left out is not in the sample, which else tells whether the call takes several.
    const takesOne = field in sample ? !Array.isArray(sample[field]) : isTaken(endpoint, { ...sample, [field]: id });
    return [field, takesOne ? id : [id]];
  });
  return { ...sample, ...Object.fromEntries(fitting) };
}

const measured = new Map<Endpoint, Record<string, Answers>>();

/** Keeps what a caller was answered, for docs/access.md. */
function note(endpoint: Endpoint, caller: string, answers: Partial<Record<keyof Answers, Answered>>): void {
  const said = (given: Answered) =>
    given === 'stream' || given === 'file' || given.errno === 0 ? 'ok' : String(given.errno);
  const texts = Object.entries(answers).map(([whose, given]) => [whose, said(given)]);
  measured.set(endpoint, { ...measured.get(endpoint), [caller]: Object.fromEntries(texts) });
}

describe.each(allEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_, endpoint) => {
    const signed = endpoint.signed !== false;

    if (signed)
      test('refuses a signature that does not fit', async () => {
        const refused = await portal.call(endpoint, await inputOf(endpoint, 'admin', 'missing'), {
          signature: `${'0'.repeat(32)}.5245784`,
        });
        expect(refused.errno).toBe(errno.badSignature);
      });

    if (signed)
      test('refuses a timestamp six minutes old', async () => {
        const refused = await portal.call(endpoint, await inputOf(endpoint, 'admin', 'missing'), {
          timestamp: String(Date.now() - 360_000),
        });
        expect(refused.errno).toBe(errno.badSignature);
      });

    if (endpoint.auth === 'apiKey')
      test('refuses a caller without a key, with an unknown and a revoked one, and a session', async () => {
        const input = await inputOf(endpoint, 'admin', 'missing');
        const revoked = await portal.apiKeyOf('admin');
        await portal.server.stores.db.updateTable('api_keys').set({ revoked_at: new Date() }).execute();
        for (const token of ['', 'x'.repeat(64), revoked, await portal.sessionOf('admin')]) {
          expect(await answer(endpoint, input, token)).toMatchObject({ errno: errno.tokenInvalid, result: null });
        }
      });

    if (endpoint.callers !== 'public' && endpoint.auth === undefined)
      test('refuses an API key', async () => {
        const key = await portal.apiKeyOf('admin');
        const input = await inputOf(endpoint, 'admin', 'missing');
        expect(await answer(endpoint, input, key)).toMatchObject({ errno: errno.tokenInvalid });
      });

    if (endpoint.callers !== 'public' && endpoint.auth === undefined)
      test('refuses a caller without a session, with an unknown, an expired and an ended one', async () => {
        const input = await inputOf(endpoint, 'admin', 'missing');
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

    const [viewed] = endpoint.callers === 'public' ? [] : endpoint.callers;
    if (viewed !== undefined && endpoint.auth === undefined && writes(endpoint))
      test('changes nothing in a read-only view', async () => {
        const token = await portal.sessionOf('admin');
        await portal.server.stores.db
          .updateTable('sessions')
          .set({ view_level: viewed })
          .where('token_hash', '=', hashToken(token))
          .execute();
        expect(await answer(endpoint, await inputOf(endpoint, 'admin', 'missing'), token)).toMatchObject({
          errno: errno.readOnlyView,
        });
      });

    if (endpoint.callers !== 'public' && endpoint.auth === undefined && endpoint.beforePasswordChange !== true)
      test('waits until a temporary password is changed', async () => {
        const token = await portal.sessionOf('installer');
        const { db } = portal.server.stores;
        const temporary = (password_temporary: boolean) =>
          db.updateTable('accounts').set({ password_temporary }).where('username', '=', 'installer').execute();
        await temporary(true);
        const refused = await answer(endpoint, await inputOf(endpoint, 'installer', 'missing'), token);
        await temporary(false);
        expect(refused).toMatchObject({ errno: errno.passwordMustChange });
      });

    test.each(demoAccounts.map(({ user, level }) => [level, user] as const))('level %i (%s)', async (level, user) => {
      const may = endpoint.callers === 'public' || endpoint.callers.some((allowed) => allowed === level);
      const ask = async (whose: Whose | 'missing') =>
        answer(endpoint, await inputOf(endpoint, user, whose), await tokenOf(endpoint, user));
      const ofOwn = await ask('own');
      note(endpoint, String(level), { own: ofOwn });
      if (!may) {
        expect(ofOwn).toMatchObject({ errno: errno.noPermission, result: null });
        return;
      }
      if (ofOwn !== 'stream' && ofOwn !== 'file') expect(accessNumbers).not.toContain(ofOwn.errno);
      if (!endpoint.names) return;
      const ofMissing = await ask('missing');
      expect(ofMissing).not.toMatchObject({ errno: 0 });
      expect(ofOwn).not.toEqual(ofMissing);
      // A reading call of one's own record may still be refused for what the record is, but for nothing else.
      if (!writes(endpoint) && ofOwn !== 'file' && ofOwn !== 'stream')
        expect(ofOwn.errno === 0 || ofOwn.errno >= FIRST_OWN_ERRNO).toBe(true);
      const ofStrangers = await ask('strangers');
      note(endpoint, String(level), { own: ofOwn, stranger: ofStrangers, missing: ofMissing });
      expect(ofStrangers).toEqual(ofMissing);
    });

    test('is answered to nobody without a session unless it is public', async () => {
      const given = await answer(endpoint, await inputOf(endpoint, 'admin', 'missing'), '');
      note(endpoint, 'signed out', { own: given });
      const refused = given !== 'stream' && given !== 'file' && given.errno === errno.tokenInvalid;
      expect(refused).toBe(endpoint.callers !== 'public');
    });
  },
);

test('docs/access.md says what was measured (npm run docs:access)', () => {
  const rows = allEndpoints.map((endpoint) => ({
    method: endpoint.method,
    path: endpoint.path,
    codes: codesOfCall(endpoint),
    answers: measured.get(endpoint) ?? {},
  }));
  const { ACCESS_ROWS: file } = process.env;
  if (file !== undefined) writeFileSync(file, JSON.stringify(rows));
  else expect(endpointPartOf(writtenAccess())).toBe(endpointSection(rows));
});

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
