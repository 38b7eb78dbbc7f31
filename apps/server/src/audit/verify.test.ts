import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditActionNames } from '@sonnenwarte/contract/audit/actions';
import { auditRecordKinds } from '@sonnenwarte/contract/audit/audit';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runAuditVerify } from '../cli/audit-verify-command.ts';
import { readConfig } from '../config.ts';
import { type Stores, startStores } from '../stores/stores.ts';
import { recordAudit, recordAudits } from './audit.ts';
import { verifyChain } from './verify.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-audit-'));
const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'fatal' });
let stores: Stores;

beforeAll(async () => {
  stores = await startStores(config, pino({ level: 'silent' }));
});
afterAll(async () => {
  await stores?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function verify() {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const code = await runAuditVerify([], { DATA_DIR: dataDir }, { out: write, error: write });
  return { code, said: lines.join('\n') };
}

/** Does to the log what its triggers forbid. */
const tamper = (statement: string) =>
  stores.db.transaction().execute(async (tx) => {
    await sql`alter table audit_log disable trigger user`.execute(tx);
    await sql.raw(statement).execute(tx);
    await sql`alter table audit_log enable trigger user`.execute(tx);
  });

const entry = (name: string) =>
  ({
    log: 'operation',
    action: 'sites.edit',
    recordKind: 'site',
    recordId: name,
    recordName: name,
    organisationPath: ['11111111-1111-4111-8111-111111111111'],
    before: { name: 'old', price: 0.1 },
    after: { name, price: 0.2 },
  }) as const;

describe('the audit log', () => {
  beforeEach(async () => {
    await stores.db.transaction().execute((tx) =>
      recordAudits(
        tx,
        {},
        Array.from({ length: 10 }, (_, index) => entry(`plant ${index}`)),
      ),
    );
  });
  afterEach(async () => {
    await tamper('delete from audit_log');
    await stores.db.deleteFrom('process_state').where('name', '=', 'audit.head').execute();
  });

  test('holds as it was written', async () => {
    expect(await verify()).toEqual({ code: 0, said: 'The audit log holds: 10 entries, none changed, none missing.' });
  });

  test.each(['update audit_log set actor = actor', 'delete from audit_log', 'truncate audit_log'])(
    'refuses: %s',
    async (statement) => {
      await expect(sql.raw(statement).execute(stores.db)).rejects.toThrow('append-only');
    },
  );

  test.each([
    ['a changed text', "update audit_log set record_name = 'plant 99' where id = 4", 4, /Entry 4 was changed/],
    [
      'a changed value',
      `update audit_log set after = '{"name":"plant 3","price":9}' where id = 4`,
      4,
      /Entry 4 was changed/,
    ],
    [
      'a time moved by a microsecond',
      "update audit_log set at = at + interval '1 microsecond' where id = 4",
      4,
      /changed/,
    ],
    ['another reader', "update audit_log set organisation_path = '{}' where id = 4", 4, /Entry 4 was changed/],
    ['an entry deleted in the middle', 'delete from audit_log where id = 4', 4, /Entry 4 is missing/],
    ['entries deleted at the end', 'delete from audit_log where id > 8', 9, /The log was cut: entry 9/],
    ['all entries deleted', 'delete from audit_log', 1, /The log was cut: entry 1/],
    [
      'an entry added at the end',
      'insert into audit_log select 11, at, log, action, actor_account_id, actor, actor_level, organisation_path, record_kind, record_id, record_name, before, after, address, user_agent, request_id, hash, hash from audit_log where id = 10',
      11,
      /Entry 11 was added/,
    ],
    [
      'two entries that changed places',
      'update audit_log set id = case id when 4 then -5 else -4 end where id in (4, 5); update audit_log set id = -id where id < 0',
      4,
      /Entry 4 does not follow/,
    ],
  ])('%s is found', async (_, statement, id, reason) => {
    await tamper(statement);
    const found = await verify();
    expect(found).toMatchObject({ code: 1 });
    expect(found.said).toMatch(reason);
    expect((await verifyChain(stores.db)).broken).toMatchObject({ id });
  });

  test('an entry whose checksum was made anew is found at the next, or at the end by what the server remembers', async () => {
    await tamper('update audit_log set hash = previous_hash where id = 4');
    expect((await verify()).said).toMatch(/Entry 4 was changed/);
  });

  test('any texts and values hold', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const values = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3 })),
      { maxKeys: 4 },
    );
    const anyEntry = fc.record({
      log: fc.constantFrom('account', 'operation', 'platform'),
      action: fc.constantFrom(...auditActionNames),
      recordKind: fc.constantFrom(...auditRecordKinds),
      recordId: fc.uuid(),
      recordName: text,
      actorName: text,
      organisationPath: fc.array(fc.uuid(), { maxLength: 3 }),
      before: fc.option(values),
      after: fc.option(values),
    });
    await fc.assert(
      fc.asyncProperty(anyEntry, text, async (written, userAgent) => {
        await stores.db.transaction().execute((tx) => recordAudit(tx, { userAgent, address: '::1' }, written));
      }),
      { numRuns: 60 },
    );
    expect(await verifyChain(stores.db)).toEqual({ entries: 70, broken: null });
  });
});

test('a data folder without a log is told so', async () => {
  const said: string[] = [];
  const code = await runAuditVerify(
    [],
    { DATA_DIR: `${dataDir}/nowhere` },
    { out: () => undefined, error: (line) => said.push(line) },
  );
  expect(code).toBe(2);
  expect(said.join()).toContain('There is no audit log');
});

test('the log of a stopped server is read as well', async () => {
  await stores.db.transaction().execute((tx) => recordAudit(tx, {}, entry('last')));
  await stores.stop();
  expect(await verify()).toMatchObject({ code: 0, said: expect.stringContaining('1 entry') });
  stores = await startStores(config, pino({ level: 'silent' }));
});
