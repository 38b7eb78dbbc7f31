import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import type { Endpoint } from '@sonnenwarte/contract/endpoint';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import { errno, sessionEndNumbers } from '@sonnenwarte/contract/errors';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { userCenterEndpoints } from '@sonnenwarte/contract/user-center/user-center';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldsOf, type InputField, inputWith } from '../testing/input-fields.ts';
import { signedRequest, startTestPortal, type TestPortal, uploaded } from '../testing/portal.ts';
import { RecordMaker } from '../testing/records.ts';
import { casesOf } from '../testing/thoroughness.ts';

const AT_ONCE = 8;

let portal: TestPortal;
let records: RecordMaker;
let session: Promise<string> | undefined;
beforeAll(async () => {
  portal = await startTestPortal({ TRUSTED_PROXIES: '127.0.0.1' });
  records = await RecordMaker.open(portal.server.stores.db);
});
afterAll(() => portal?.stop());

/** Signs that no text may hold, whatever stands around them. */
const refusedSigns = [
  '\u0000',
  '\u0001',
  '\u001B',
  '\u007F',
  '\u0085',
  '\uD800',
  '\uDC00',
  '\uFFFE',
  '\uFFFF',
  '\u{1FFFE}',
  '\u202E',
  '\u2066',
];
/** Some of each sort, for the way through HTTP. */
const sentSigns = ['\u0000', '\uD800', '\uFFFF', '\u202E'];
/** Half a surrogate pair does not come through the UTF-8 of an address or a form. */
const isInQuery = (sign: string): boolean => sign !== '\uD800';

const oddValues: readonly unknown[] = [
  null,
  '',
  "'; drop table accounts; --",
  '%_\\',
  '2026-02-30',
  '0000-00-00',
  '99999999999999999999999999999999',
  'x'.repeat(70_000),
  0,
  1.5,
  2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  -1e-300,
  [],
  {},
  [[[]]],
  [null],
  Array.from({ length: 5_000 }, () => 'x'),
  { toString: 1, constructor: null },
];

/** What a server of Node reads of a request's head. */
const LONGEST_HEAD = 16_384;

let calls = 0;
/** Counts on from field to field, so that all that is sent in turns is sent. */
let turn = 0;

/** What is answered, as text; from another network each time, since so many calls of one would be refused. */
async function send(endpoint: Endpoint, input: Record<string, unknown>, token: string): Promise<string> {
  calls += 1;
  const headers = { 'x-forwarded-for': `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}` };
  const request = signedRequest(portal.url, endpoint, sendable(endpoint, input), { token, headers });
  const [url, init] = uploaded(endpoint, input, request);
  const leave = new AbortController();
  const response = await fetch(url, { ...init, signal: leave.signal }).catch((error: unknown) => {
    // Who is refused while still sending may lose the connection before the refusal is read.
    if (url.length > LONGEST_HEAD) return undefined;
    throw error;
  });
  if (response === undefined) return '';
  const told = `${endpoint.path} ${JSON.stringify(input).slice(0, 200)}`;
  // What does not fit into the head of a request is refused before it is a call.
  if (endpoint.method === 'GET' && response.status === 431) return '';
  expect(response.status, told).toBe(200);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    leave.abort();
    return '';
  }
  const answer = await response.text();
  expect(answer, told).not.toMatch(/\.ts:\d|node_modules|kysely|Error:|syntax error|violates|relation "|FST_|DB::/);
  return answer;
}

/** In a query everything is text. */
const sendable = (endpoint: Endpoint, input: Record<string, unknown>): Record<string, unknown> =>
  endpoint.method === 'POST'
    ? input
    : Object.fromEntries(
        Object.entries(input).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]),
      );

function errnoOf(answer: string): number {
  const number = answer.startsWith('{"errno"') ? JSON.parse(answer).errno : errno.ok;
  if (sessionEndNumbers.includes(number)) session = undefined;
  return number;
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** A key or a session that lives; a key anew for each call, since it may call once a second. */
async function tokenOf(endpoint: Endpoint): Promise<string> {
  if (endpoint.auth === 'apiKey') return portal.apiKeyOf('admin');
  session ??= portal.sessionOf('admin');
  return session;
}

async function namedBy(endpoint: Endpoint): Promise<Record<string, unknown>> {
  const named = Object.entries(endpoint.names ?? {}).map(async ([field, kind]) => [
    field,
    await records.make(kind, 'admin', 'own'),
  ]);
  return Object.fromEntries(await Promise.all(named));
}

const withFields = allEndpoints
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint, fieldsOf(endpoint)] as const)
  .filter(([, { callers }, fields]) => fields.length > 0 && (callers === 'public' || callers.includes(255)));
const ofText = ({ types }: InputField): boolean => types.has('string') || types.has('enum');

describe.each(withFields)('%s', (_, endpoint, fields) => {
  test('refuses signs that no text may hold in each of its texts, and names the field', async () => {
    const signs = sentSigns.filter((sign) => (endpoint.method === 'POST' && !endpoint.upload) || isInQuery(sign));
    // Which signs a text refuses is seen below; each field is sent one, and all fields together all of them.
    const tries = fields.filter(ofText).map((field) => ({ field, sign: signs[turn++ % signs.length] ?? '' }));
    await inTurns(tries, async ({ field, sign }) => {
      const input = inputWith(endpoint, field, `ab${sign}cd`);
      const answer = JSON.parse(await send(endpoint, input, await tokenOf(endpoint)));
      expect(answer, `${field.path.join('.')} ${JSON.stringify(sign)}`).toMatchObject({
        errno: errno.refusedInput,
        result: { fields: expect.arrayContaining([expect.objectContaining({ path: field.path.join('.') })]) },
      });
    });
  });

  test('takes none of these signs in any of its texts', () => {
    for (const field of fields.filter(ofText)) {
      for (const sign of refusedSigns) {
        const parsed = endpoint.input.safeParse(inputWith(endpoint, field, `ab${sign}cd`));
        const paths = parsed.error?.issues.map((issue) => issue.path.join('.'));
        expect(paths, JSON.stringify(sign)).toContain(field.path.join('.'));
      }
    }
  });

  test('answers any value in any of its fields without failing', async () => {
    const named = await namedBy(endpoint);
    const tries = fields.flatMap((field) => {
      const isTaken = (value: unknown) => endpoint.input.safeParse(inputWith(endpoint, field, value, named)).success;
      // What reaches what answers, and one that is refused before it; a query is read in its own way.
      const taken = oddValues.filter((value) => endpoint.method === 'GET' || isTaken(value));
      const refused = oddValues.filter((value) => !taken.includes(value));
      const one = refused.length > 0 ? [refused[turn++ % refused.length]] : [];
      // Every third in each run, each in its turn; in a thorough one all of them.
      const every = casesOf(3, 1);
      const tried = taken.filter((_, index) => (index + turn) % every === 0);
      turn += 1;
      return [...tried, ...one].map((value) => ({ field, value }));
    });
    await inTurns(tries, async ({ field, value }) => {
      const answer = await send(endpoint, inputWith(endpoint, field, value, named), await tokenOf(endpoint));
      expect(errnoOf(answer)).not.toBe(errno.serverException);
    });
    session = undefined;
  });
});

test('a walk of the contract finds texts, numbers and lists, so that the tests above try something', () => {
  const types = new Set(withFields.flatMap(([, , fields]) => fields.flatMap((field) => [...field.types])));
  expect([...types]).toEqual(expect.arrayContaining(['string', 'number', 'enum', 'array', 'object']));
  expect(withFields.length).toBeGreaterThan(60);
});

describe('a body', () => {
  const list = siteEndpoints.list;
  const post = async (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') => {
    calls += 1;
    const headers = { 'x-forwarded-for': `10.200.${(calls >> 8) & 255}.${calls & 255}`, 'content-type': type };
    const [url, init] = signedRequest(portal.url, list, {}, { token: await portal.sessionOf('admin'), headers });
    const response = await fetch(url, { ...init, body });
    expect(response.status).toBe(200);
    return (await response.json()) as { errno: number };
  };

  test.each([
    ['nested deep', '['.repeat(400_000)],
    ['nested deep and closed', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['nested in a field', `{"condition":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
    ['of a number beyond all bounds', '{"currentPage":1e400}'],
    ['of a number with a million digits', `{"currentPage":${'9'.repeat(900_000)}}`],
    ['that is no object', '"text"'],
    ['that is a list', '[]'],
    ['that is no JSON', '{"currentPage":'],
    ['with a byte order mark', '\uFEFF{}x'],
    ['that is larger than a megabyte', `{"a":"${'x'.repeat(1_100_000)}"}`],
    ['of a text that is too long', `{"condition":{"content":"${'x'.repeat(1_000_000)}"}}`],
  ])('%s is refused', async (_, body) => {
    expect((await post(body)).errno).toBe(errno.refusedInput);
  });

  test('of bytes that are no UTF-8, or of another type, is refused', async () => {
    expect((await post(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]))).errno).toBe(errno.refusedInput);
    for (const [before, after] of [
      ['{"nobody reads this":"', '"}'],
      ['{"condition":{"content":"', '"}}'],
    ] as const) {
      const holding = (bytes: readonly number[]) =>
        Uint8Array.from([...Buffer.from(before), ...bytes, ...Buffer.from(after)]);
      expect((await post(holding([0xff, 0xfe]))).errno, before).toBe(errno.refusedInput);
      expect((await post(holding([0xed, 0xa0, 0x80]))).errno, before).toBe(errno.refusedInput);
      expect((await post(holding([...Buffer.from('Öl')]))).errno, before).toBe(errno.ok);
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x']) {
      expect((await post('{}', type)).errno, type).toBe(errno.refusedInput);
    }
  });

  test('of a prototype is taken as what it is without', async () => {
    expect((await post('{"__proto__":{"currentPage":7},"constructor":{"prototype":{"x":1}}}')).errno).toBe(0);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test('of a text of a million signs is refused where lines may end in it, too', async () => {
    const input = { name: 'x', introduction: 'x\n'.repeat(500_000), note: '\t'.repeat(10) };
    const answer = await send(userCenterEndpoints.editInfo, input, await portal.sessionOf('owner'));
    expect(errnoOf(answer)).toBe(errno.refusedInput);
  });

  test('of any JSON is answered without failing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), async (body) => {
        expect([0, errno.refusedInput]).toContain((await post(body)).errno);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a query', () => {
  const { detail } = siteEndpoints;
  test.each([
    `stationID=${'x'.repeat(12_000)}`,
    'stationID=a&stationID=b',
    'stationID[]=a&stationID[b]=c',
    'stationID=%ED%A0%80',
    'stationID=%00',
    'stationID=%',
    '__proto__=1&constructor=2&stationID=1',
    `${'a=1&'.repeat(3_000)}`,
  ])('%s is refused', async (query) => {
    const [url, init] = signedRequest(portal.url, detail, {}, { token: await portal.sessionOf('admin') });
    const response = await fetch(`${url}${query}`, init);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ errno: errno.refusedInput });
  });
});

test.each([
  'lang',
  'timezone',
  'token',
  'timestamp',
  'signature',
  'user-agent',
  'x-forwarded-for',
  'accept',
  'authorization',
])('a header %s of odd bytes or of great length is answered without failing, also where it is kept', async (name) => {
  const { info, login } = accountEndpoints;
  for (const value of ['\u0080\u00FF\u0085', 'x'.repeat(8_000), 'é, ü; =,,', '[]{}"\'', '-1', '1e400', '../..']) {
    for (const [endpoint, input] of [
      [info, {}],
      [login, { user: 'owner', password: '0'.repeat(32) }],
    ] as const) {
      const headers = { [name]: value };
      const [url, init] = signedRequest(portal.url, endpoint, input, {
        token: await portal.sessionOf('owner'),
        headers,
      });
      const response = await fetch(url, init);
      expect(response.status, `${name} ${value.slice(0, 40)}`).toBe(200);
      expect((await response.json()).errno).not.toBe(errno.serverException);
    }
  }
});
