import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditActionNames } from '@sonnenwarte/contract/audit/actions';
import { auditRecordKinds } from '@sonnenwarte/contract/audit/audit';
import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runAuditVerify } from '../cli/audit-verify-command.ts';
import { readConfig } from '../config.ts';
import { sealKeysOf } from '../stores/database.ts';
import type { Database } from '../stores/schema.ts';
import { KEY_FILE } from '../stores/seal-keys.ts';
import { type Stores, startStores } from '../stores/stores.ts';
import { auditHead, recordAudit, recordAudits } from './audit.ts';
import { CHAIN_START, type ChainedEntry, plainHash } from './chain.ts';
import { HeadKeeper, headFiles } from './heads.ts';
import { noteSealing, recordRestore } from './platform.ts';
import { verifyChain } from './verify.ts';

const logger = pino({ level: 'silent' });
const dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-audit-'));
const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'fatal' });
const [headFile = ''] = headFiles(config);
const keyFile = join(dataDir, KEY_FILE);
let stores: Stores;

beforeAll(async () => {
  stores = await startStores(config, logger);
});
afterAll(async () => {
  await stores?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function verify(env: Record<string, string> = {}) {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const code = await runAuditVerify([], { DATA_DIR: dataDir, ...env }, { out: write, error: write });
  return { code, said: lines.join('\n') };
}

/** Does to the log what the server's role may not: as somebody who has taken over the database. */
const tamper = (work: (tx: Kysely<Database>) => Promise<unknown>) =>
  stores.asOwner((owner) =>
    owner.transaction().execute(async (tx) => {
      await sql`alter table audit_log disable trigger user`.execute(tx);
      await work(tx);
      await sql`alter table audit_log enable trigger user`.execute(tx);
    }),
  );
const run = (statement: string) => tamper((tx) => sql.raw(statement).execute(tx));

/** What is kept in the database beside the log, made to fit the log as it is now. */
const fitHead = (tx: Kysely<Database>) =>
  sql`update process_state set value = (select jsonb_build_object('id', id, 'hash', encode(hash, 'hex'))
    from audit_log order by id desc limit 1) where name = 'audit.head'`.execute(tx);

/** Makes all checksums anew from an entry on, as anybody can who has no key. */
async function recompute(tx: Kysely<Database>, fromId: number, { sealed }: { sealed: boolean }): Promise<void> {
  const rows = await tx.selectFrom('audit_log').selectAll().orderBy('id').execute();
  let previous: Buffer = CHAIN_START;
  for (const row of rows) {
    if (Number(row.id) >= fromId) {
      const chained: ChainedEntry = {
        id: Number(row.id),
        at: row.at.toISOString(),
        log: row.log,
        action: row.action,
        actorAccountId: row.actor_account_id,
        actor: row.actor,
        actorLevel: row.actor_level,
        organisationPath: row.organisation_path,
        recordKind: row.record_kind,
        recordId: row.record_id,
        recordName: row.record_name,
        before: row.before,
        after: row.after,
        address: row.address,
        userAgent: row.user_agent,
        requestId: row.request_id,
      };
      row.hash = plainHash(previous, chained);
      await tx
        .updateTable('audit_log')
        .set({ previous_hash: previous, hash: row.hash, ...(!sealed && { seal: '' }) })
        .where('id', '=', row.id)
        .execute();
    }
    previous = row.hash;
  }
  await fitHead(tx);
}

const writeHeads = () => new HeadKeeper(stores.db, headFiles(config), logger).write();

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

const recordSome = (count: number, what = 'plant') =>
  stores.db.transaction().execute((tx) =>
    recordAudits(
      tx,
      {},
      Array.from({ length: count }, (_, index) => entry(`${what} ${index}`)),
    ),
  );

const change4 = "update audit_log set record_name = 'plant 99' where id = 4";

describe('the audit log', () => {
  beforeEach(async () => {
    await recordSome(10);
    await writeHeads();
  });
  afterEach(async () => {
    await run('delete from audit_log');
    await stores.db.deleteFrom('process_state').where('name', '=', 'audit.head').execute();
    rmSync(headFile, { force: true });
  });

  test('holds as it was written', async () => {
    const { code, said } = await verify();
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said).toMatch(/^The audit log holds: 10 entries, none changed, none missing\. Compared with 1 heads/);
  });

  test('an entry that somebody writes past its end is found, and keeps nobody from working', async () => {
    const { db } = stores;
    await sql`insert into audit_log select (jsonb_populate_record(a, jsonb_build_object('id', a.id + 1))).*
      from audit_log a order by a.id desc limit 1`.execute(db);
    await recordSome(2, 'afterwards');
    const newest = await db.selectFrom('audit_log').select('record_name').orderBy('id', 'desc').limit(1).execute();
    expect(newest).toEqual([{ record_name: 'afterwards 1' }]);
    const { code, said } = await verify();
    expect(code).toBe(1);
    expect(said).toMatch(/Entry 11 /);
  });

  test('is sealed with a key that only this user reads and that the database does not hold', async () => {
    expect(statSync(keyFile).mode & 0o077).toBe(0);
    const secret = readFileSync(keyFile, 'utf8').trim();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const rows = await stores.db.selectFrom('audit_log').selectAll().execute();
    const states = await stores.db.selectFrom('process_state').selectAll().execute();
    expect(JSON.stringify([rows, states])).not.toContain(secret);
    expect(new Set(rows.map(({ seal }) => seal)).size).toBe(1);
    expect(secret).not.toContain(rows[0]?.seal);
  });

  test.each([
    ['a changed text', change4, 4, /Entry 4 was changed/],
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
      'insert into audit_log select 11, at, log, action, actor_account_id, actor, actor_level, organisation_path, record_kind, record_id, record_name, before, after, address, user_agent, request_id, hash, hash, seal from audit_log where id = 10',
      11,
      /Entry 11 was added/,
    ],
    [
      'two entries that changed places',
      'update audit_log set id = case id when 4 then -5 else -4 end where id in (4, 5); update audit_log set id = -id where id < 0',
      4,
      /Entry 4 does not follow/,
    ],
    ['a checksum made anew', 'update audit_log set hash = previous_hash where id = 4', 4, /Entry 4 was changed/],
  ])('%s is found', async (_, statement, id, reason) => {
    await run(statement);
    const found = await verify();
    expect(found).toMatchObject({ code: 1 });
    expect(found.said).toMatch(reason);
    expect((await verifyChain(stores.db, sealKeysOf(stores.db), [])).broken).toMatchObject({ id });
  });

  describe('by somebody who can write all of the database but has no key', () => {
    test('cannot be cut off at its end', async () => {
      await tamper(async (tx) => {
        await sql`delete from audit_log where id > 7`.execute(tx);
        await fitHead(tx);
      });
      expect(await verify()).toMatchObject({
        code: 1,
        said: expect.stringMatching(/The log was cut: entry 8 and what came after it are missing; at \d{4}-.*there/),
      });
    });

    test('cannot be cut off and written on, as the server would not know', async () => {
      await tamper(async (tx) => {
        await sql`delete from audit_log where id > 7`.execute(tx);
        await fitHead(tx);
      });
      await recordSome(5, 'other plant');
      await writeHeads();
      expect(await verify()).toMatchObject({ code: 1, said: expect.stringContaining('Entry 10 is another one') });
    });

    test.each([
      ['with the name of the key left in place', true, /Entry 4 was made anew without the key/],
      ['as if from before there was a key', false, /Entry 4 was made anew without the key/],
    ])('cannot be changed and its checksums made anew, %s', async (_, sealed, reason) => {
      await tamper(async (tx) => {
        await sql.raw(change4).execute(tx);
        await recompute(tx, 4, { sealed });
      });
      expect(await verify()).toMatchObject({ code: 1, said: expect.stringMatching(reason) });
    });

    test('cannot be replaced as a whole by one from before there was a key', async () => {
      await tamper(async (tx) => {
        await sql.raw(change4).execute(tx);
        await recompute(tx, 1, { sealed: false });
      });
      expect(await verify()).toMatchObject({ code: 1, said: expect.stringContaining('Entry 1 was made anew') });
    });

    test('cannot be emptied', async () => {
      await tamper(async (tx) => {
        await sql`delete from audit_log`.execute(tx);
        await sql`delete from process_state where name = 'audit.head'`.execute(tx);
      });
      expect(await verify()).toMatchObject({ code: 1, said: expect.stringContaining('The log was cut: entry 1') });
    });

    test('cannot have the tale told that a backup was put back', async () => {
      await tamper(async (tx) => {
        await sql`delete from audit_log where id > 7`.execute(tx);
        await sql`update audit_log set action = 'platform.restore', after = '{"takenAt":"2026-01-01T00:00:00.000Z"}'
          where id = 7`.execute(tx);
        await recompute(tx, 7, { sealed: false });
      });
      expect(await verify()).toMatchObject({ code: 1, said: expect.stringContaining('Entry 7 was made anew') });
    });
  });

  test('heads that were changed are found', async () => {
    const text = readFileSync(headFile, 'utf8');
    writeFileSync(headFile, text.replace('"id":10', '"id":9'));
    expect(await verify()).toMatchObject({ code: 1, said: expect.stringContaining(`${headFile}:1`) });
  });

  test('a line that a power cut has torn is left out, and the next one stands on its own', async () => {
    writeFileSync(headFile, `${readFileSync(headFile, 'utf8')}{"at":"2026-`);
    await recordSome(1);
    await writeHeads();
    expect(await verify()).toMatchObject({ code: 0, said: expect.stringContaining('2 heads') });
  });

  test('the head is written where the operator says as well, and a cut is found by that alone', async () => {
    const elsewhere = join(dataDir, 'elsewhere', 'heads.jsonl');
    const env = { AUDIT_HEADS_FILE: elsewhere };
    await new HeadKeeper(stores.db, headFiles(readConfig({ DATA_DIR: dataDir, ...env })), logger).write();
    await tamper(async (tx) => {
      await sql`delete from audit_log where id > 7`.execute(tx);
      await fitHead(tx);
    });
    rmSync(headFile);
    expect(await verify()).toMatchObject({ code: 2 });
    expect(await verify(env)).toMatchObject({ code: 1, said: expect.stringContaining('entry 8') });
    rmSync(elsewhere);
  });

  test('without its heads the end is not vouched for', async () => {
    rmSync(headFile);
    expect(await verify()).toMatchObject({ code: 2, said: expect.stringContaining('There is no file of heads') });
  });

  test('without its key nothing is vouched for, and with the wrong one neither', async () => {
    const other = { AUDIT_KEY: 'ab'.repeat(32) };
    expect(await verify(other)).toMatchObject({ code: 2, said: expect.stringContaining('is not at hand') });
    const away = `${keyFile}.away`;
    copyFileSync(keyFile, away);
    rmSync(keyFile);
    expect(await verify()).toMatchObject({ code: 2, said: expect.stringContaining('is not at hand') });
    copyFileSync(away, keyFile);
    rmSync(away);
    expect(await verify()).toMatchObject({ code: 0 });
  });

  test('entries from before there was a key stay as they are, held by the first that is sealed', async () => {
    await tamper(async (tx) => {
      await recompute(tx, 1, { sealed: false });
    });
    rmSync(headFile);
    await noteSealing(stores.db);
    await recordSome(3);
    await writeHeads();
    const joint = await stores.db.selectFrom('audit_log').select(['action', 'after']).where('id', '=', '11').execute();
    expect(joint).toMatchObject([{ action: 'platform.sealAudit', after: { entries: 10, keyBefore: '' } }]);
    const holding = await verify();
    expect(holding).toMatchObject({ code: 0 });
    expect(holding.said).toContain('14 entries');
    expect(holding.said).toContain('10 entries from before there was a key');
    await tamper(async (tx) => {
      await sql.raw(change4).execute(tx);
      await recompute(tx, 4, { sealed: true });
      await sql`update audit_log set seal = '' where id <= 10`.execute(tx);
    });
    expect(await verify()).toMatchObject({ code: 1, said: expect.stringContaining('Entry 11 was made anew') });
  });

  test('a backup that was put back is told, and what came after it counts as before', async () => {
    const takenAtMs = Date.now();
    const { id, hash } = await auditHead(stores.db);
    await recordSome(6, 'lost plant');
    await writeHeads();
    await tamper(async (tx) => {
      await sql`delete from audit_log where id > ${id}`.execute(tx);
      await fitHead(tx);
    });
    expect(await auditHead(stores.db)).toEqual({ id, hash });
    expect(await verify()).toMatchObject({ code: 1 });
    await recordRestore(stores.db, { takenAtMs, file: 'monday.backup' });
    await recordSome(8, 'new plant');
    await writeHeads();
    const told = await verify();
    expect(told).toMatchObject({ code: 0 });
    expect(told.said).toMatch(/^Restored at .* as entry 11 says\. Entries 11 to 16 of before were not in it/);
    await run("update audit_log set record_name = 'x' where id = 12");
    expect(await verify()).toMatchObject({ code: 1, said: expect.stringContaining('Entry 12 was changed') });
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
    expect(await verifyChain(stores.db, sealKeysOf(stores.db), [])).toMatchObject({ entries: 70, broken: null });
  });
});

test('a data folder without a log is told so', async () => {
  const said: string[] = [];
  const nowhere = `${dataDir}/nowhere`;
  const code = await runAuditVerify(
    [],
    { DATA_DIR: nowhere },
    { out: () => undefined, error: (line) => said.push(line) },
  );
  expect(code).toBe(2);
  expect(said.join()).toContain('There is no audit log');
  expect(existsSync(join(nowhere, KEY_FILE))).toBe(false);
});

test('the log of a stopped server is read as well', async () => {
  await recordSome(1);
  await writeHeads();
  await stores.stop();
  expect(await verify()).toMatchObject({ code: 0, said: expect.stringContaining('1 entry') });
  stores = await startStores(config, logger);
});
