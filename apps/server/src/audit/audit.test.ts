import { auditActionNames } from '@sonnenwarte/contract/audit/actions';
import { auditEndpoints, auditRecordKinds } from '@sonnenwarte/contract/audit/audit';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { knownPhrase } from '../exports/phrase-text.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { recordAudit, recordAudits } from './audit.ts';

let portal: TestPortal;
let admin = '';

const mine = ['distributor', 'agent'].map((key) => demoOrganisationId(key as 'agent'));
const strangers = [demoOrganisationId('distributor-2')];

beforeAll(async () => {
  portal = await startTestPortal({}, undefined, { ownStores: true });
  admin = await portal.sessionOf('admin');
  await portal.server.stores.db.transaction().execute(async (tx) => {
    const from = {
      address: '192.0.2.7',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
      requestId: 'request-1',
    };
    const edit = (recordName: string, organisationPath: string[]) =>
      ({
        log: 'operation',
        action: 'organisations.edit',
        recordKind: 'organisation',
        recordId: '22222222-2222-4222-8222-222222222222',
        recordName,
        organisationPath,
        before: { name: 'Alt', city: 'Ulm' },
        after: { name: recordName, city: 'Ulm' },
        actorName: 'somebody',
      }) as const;
    await recordAudit(tx, from, edit('Mine 100%', mine));
    await recordAudit(tx, from, edit('=Strange', strangers));
    await recordAudits(
      tx,
      { address: '198.51.100.9' },
      Array.from({ length: 1_234 }, (_, index) => ({
        log: 'account',
        action: index % 2 === 0 ? 'accounts.signIn' : 'accounts.signInRefused',
        recordKind: 'account',
        recordId: String(index),
        recordName: `Person ${index}`,
        organisationPath: mine,
      })),
    );
  });
});
afterAll(() => portal?.stop());

type LogInput = Input<typeof auditEndpoints.operationLog>;

async function names(
  input: LogInput,
  token = admin,
  endpoint: typeof auditEndpoints.operationLog = auditEndpoints.operationLog,
) {
  const answer = await portal.call(endpoint, input, { token });
  expect(answer.errno).toBe(0);
  return answer.result?.entries.map(({ recordName }) => recordName) ?? [];
}

describe('the logs', () => {
  test('show a distributor its own tree, the platform everything', async () => {
    const distributor = await portal.sessionOf('distributor');
    expect(await names({ condition: { action: 'organisations.edit' } })).toEqual(['=Strange', 'Mine 100%']);
    expect(await names({ condition: { action: 'organisations.edit' } }, distributor)).toEqual(['Mine 100%']);
  });

  test('answer a stranger’s entry exactly like one that does not exist', async () => {
    const distributor = await portal.sessionOf('distributor');
    const all = await portal.call(
      auditEndpoints.operationLog,
      { condition: { content: '=Strange' } },
      { token: admin },
    );
    const id = all.result?.entries[0]?.id ?? 0;
    const strange = await portal.call(auditEndpoints.detail, { id }, { token: distributor });
    expect(strange).toEqual(await portal.call(auditEndpoints.detail, { id: 999_999_999 }, { token: distributor }));
    expect(strange.errno).toBe(errno.auditEntryNotFound);
    const seen = await portal.call(auditEndpoints.detail, { id }, { token: admin });
    expect(seen.result).toMatchObject({
      before: { name: 'Alt', city: 'Ulm' },
      after: { name: '=Strange', city: 'Ulm' },
      device: 'Firefox, Linux',
      address: '192.0.2.7',
      requestID: 'request-1',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test.each([
    ['who', { content: 'SOMEBODY', contentType: 1 }],
    ['a record by its name, wildcards being letters', { content: '100%', contentType: 2 }],
    ['any of them', { content: '192.0.2' }],
    ['a request', { content: 'request-1', contentType: 3 }],
    ['any request as a whole', { content: 'REQUEST-1' }],
    ['a changed value', { content: 'Mine', contentType: 4 }],
    ['a kind of record', { recordKind: 'organisation' }],
    ['an address', { address: '192.0.2.7' }],
    ['a time', { fromMs: Date.now() - 3_600_000, recordKind: 'organisation' }],
  ] as const)('are searched by %s', async (_, condition) => {
    expect(await names({ condition })).toContain('Mine 100%');
  });

  test.each([
    ['another name', { content: '1000', contentType: 2 }],
    ['another address', { address: '192.0.2.8' }],
    ['a name where an address is asked for', { content: 'SOMEBODY', contentType: 3 }],
    ['another level', { level: 4 }],
    ['another time', { toMs: Date.now() - 3_600_000 }],
    ['the underscore as itself', { content: '_', contentType: 2 }],
  ] as const)('find nothing by %s', async (_, condition) => {
    expect(await names({ condition })).toEqual([]);
  });

  test('refuse an action, a kind or an order that there is not', async () => {
    for (const input of [
      { condition: { action: 'x.y' } },
      { condition: { recordKind: 'x' } },
      { sort: { field: 'actor', order: 'asc' } },
    ]) {
      const answer = await portal.call(auditEndpoints.operationLog, input as never, { token: admin });
      expect(answer.errno).toBe(errno.refusedInput);
    }
  });

  test('page through all entries once each, in either order', async () => {
    for (const order of ['asc', 'desc'] as const) {
      const seen: number[] = [];
      for (let currentPage = 1; ; currentPage++) {
        const { result } = await portal.call(
          auditEndpoints.accountLog,
          {
            pageSize: 50,
            currentPage,
            condition: { content: 'Person', contentType: 2 },
            sort: { field: 'atMs', order },
          },
          { token: admin },
        );
        expect(result?.total).toBe(1_234);
        seen.push(...(result?.entries.map(({ id }) => id) ?? []));
        if ((result?.entries.length ?? 0) < 50) break;
      }
      expect(seen).toHaveLength(1_234);
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => (order === 'asc' ? a - b : b - a)));
    }
  });

  test.each(['asc', 'desc'] as const)('are written to a file whole, once each (%s)', async (order) => {
    const response = await portal.fetch(
      auditEndpoints.exportAccountLog,
      {
        columns: ['recordID', 'action', 'atMs'],
        condition: { content: 'Person', contentType: 2 },
        sort: { field: 'atMs', order },
      },
      { token: admin, lang: 'en' },
    );
    expect(response.headers.get('content-disposition')).toMatch(/filename="Account log-/);
    const [heading, ...lines] = (await response.text()).trimEnd().split('\r\n');
    expect(heading).toBe('Record ID,Action,Time (Europe/Berlin)');
    const wanted = Array.from({ length: 1_234 }, (_, index) => String(index));
    expect(lines.map((line) => line.split(',')[0])).toEqual(order === 'asc' ? wanted : wanted.reverse());
    expect(new Set(lines.map((line) => line.split(',')[1]))).toEqual(new Set(['Signed in', 'Sign-in refused']));
  });

  test('tell the start of the server, its migrations and the demonstration', async () => {
    const { result } = await portal.call(
      auditEndpoints.platformLog,
      { sort: { field: 'atMs', order: 'asc' } },
      { token: admin },
    );
    expect(result?.entries.map(({ action }) => action)).toEqual([
      'platform.migrateDatabase',
      'platform.start',
      'platform.seedDemo',
    ]);
    const distributor = await portal.sessionOf('distributor');
    const refused = await portal.call(auditEndpoints.platformLog, {}, { token: distributor });
    expect(refused.errno).toBe(errno.noPermission);
    const entry = await portal.call(auditEndpoints.detail, { id: result?.entries[0]?.id ?? 0 }, { token: distributor });
    expect(entry.errno).toBe(errno.auditEntryNotFound);
  });
});

test('line ends in what somebody sent cannot make one entry look like two', async () => {
  await portal.server.stores.db.transaction().execute((tx) =>
    recordAudit(
      tx,
      { userAgent: 'x\r\n2026-01-01 admin deleted everything', address: '\u0000\u001b[2K127.0.0.1' },
      {
        log: 'account',
        action: 'accounts.signInRefused',
        recordKind: 'account',
        recordId: '',
        recordName: 'a\nb\u2028c\u0085d',
        organisationPath: [],
        actorName: 'evil\r\nadmin',
      },
    ),
  );
  const { result } = await portal.call(auditEndpoints.accountLog, { condition: { content: 'evil' } }, { token: admin });
  expect(result?.entries[0]).toMatchObject({
    actor: 'evil admin',
    recordName: 'a b c d',
    userAgent: 'x 2026-01-01 admin deleted everything',
    address: ' [2K127.0.0.1',
  });
});

test('every action and kind of record has its words', () => {
  const keys = [
    ...auditActionNames.map((action) => `audit.action.${action}`),
    ...auditRecordKinds.map((kind) => `audit.record.${kind}`),
  ];
  const missing = keys.filter((key) => knownPhrase(key, 'en') === undefined);
  expect(missing).toEqual([]);
});
