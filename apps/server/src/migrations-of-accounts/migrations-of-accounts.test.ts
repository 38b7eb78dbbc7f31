import { setTimeout as pause } from 'node:timers/promises';
import { auditEndpoints } from '@sonnenwarte/contract/audit/audit';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { migrationEndpoints } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyChain } from '../audit/verify.ts';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { sealKeysOf } from '../stores/database.ts';
import { startTransfers } from '../testing/transfers-fixture.ts';

const { portal, db, token, idOf, preview, codeFor, enter, transferred, undo, rows, plantsOf } = await startTransfers();
afterAll(() => portal.stop());

describe('a transfer', () => {
  let before = '';
  beforeEach(async () => {
    before = await rows();
  });

  test('from end user to end user moves owner and organisation, shows so before, and its undo restores identical rows', async () => {
    const owned = await plantsOf('owner');
    const shown = await preview('owner', 'far-buyer');
    expect(shown.result).toMatchObject({
      source: { user: 'owner', parentAgents: ['Sonnenwarte Demo Distribution', 'Sonnenwarte Demo Agentur'], sites: 2 },
      target: { user: 'far-buyer', organisation: 'Sonnenwarte Demo Solar East' },
      transferCount: 1,
    });
    expect(shown.result?.sites.map(({ stationID }) => stationID).sort()).toEqual([...owned].sort());
    for (const site of shown.result?.sites ?? []) {
      expect(site.to).toEqual({ organisation: 'Sonnenwarte Demo Solar East', owner: 'far-buyer' });
      expect(site.from.organisation).toBe('Sonnenwarte Demo Solartechnik');
      expect(site.dataloggers).toBeGreaterThan(0);
      expect(site.devices).toBeGreaterThan(0);
    }

    const id = await transferred('owner', 'far-buyer');
    expect(await plantsOf('owner')).toEqual([]);
    expect((await plantsOf('far-buyer')).sort()).toEqual([...owned].sort());
    expect(await plantsOf('installer')).not.toContain(owned[0]);
    const dataloggers = await db
      .selectFrom('loggers')
      .select('organisation_id')
      .where('site_id', 'in', owned)
      .execute();
    expect(new Set(dataloggers.map(({ organisation_id }) => organisation_id))).toEqual(
      new Set([demoOrganisationId('installer-3')]),
    );

    const detail = await portal.call(migrationEndpoints.detail, { migrationID: id }, { token });
    expect(detail.result).toMatchObject({ source: 'owner', target: 'far-buyer', operatedBy: 'admin', sites: 2 });
    expect(detail.result?.plants).toHaveLength(2);
    expect(detail.result?.plants[0]?.to).toEqual({ organisation: 'Sonnenwarte Demo Solar East', owner: 'far-buyer' });

    expect(await undo(id)).toMatchObject({ errno: 0, result: { sites: 2 } });
    expect(await rows()).toBe(before);
    expect((await undo(id)).errno).toBe(errno.migrationAlreadyUndone);
  });

  test('from installer to installer moves the plants of its organisation and leaves them their owners', async () => {
    const id = await transferred('installer', 'installer-b');
    expect(await plantsOf('installer')).toEqual([]);
    expect(await plantsOf('installer-b')).toHaveLength(7);
    expect(await plantsOf('owner')).toHaveLength(2);
    expect((await undo(id)).errno).toBe(0);
    expect(await rows()).toBe(before);
  });

  test('to an end user without an installer leaves the plants with the organisation that they have', async () => {
    const id = await transferred('owner', 'free-buyer');
    expect(await plantsOf('free-buyer')).toHaveLength(2);
    expect(await plantsOf('installer')).toHaveLength(5);
    expect((await undo(id)).errno).toBe(0);
    expect(await rows()).toBe(before);
  });

  test('and its undo are the identity on rows, whatever plants the source has', async () => {
    const sites = await db.selectFrom('sites').select(['id', 'owner_account_id']).orderBy('key').execute();
    const users = ['owner', 'buyer', 'far-buyer', 'free-buyer'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.constantFrom(...users)), { minLength: sites.length, maxLength: sites.length }),
        fc.shuffledSubarray(users, { minLength: 2, maxLength: 2 }),
        async (owners, [source = '', target = '']) => {
          for (const [index, site] of sites.entries())
            await db
              .updateTable('sites')
              .set({ owner_account_id: idOf(owners[index] ?? '') || null })
              .where('id', '=', site.id)
              .execute();
          const start = await rows();
          const shown = await preview(source, target);
          if (shown.errno === errno.migrationNothingToMove) {
            expect(owners).not.toContain(source);
            return;
          }
          const id = await transferred(source, target);
          expect(await rows()).not.toBe(start);
          expect(await plantsOf(source)).toEqual([]);
          expect((await undo(id)).errno).toBe(0);
          expect(await rows()).toBe(start);
        },
      ),
      { numRuns: 12 },
    );
    for (const { id, owner_account_id } of sites)
      await db.updateTable('sites').set({ owner_account_id }).where('id', '=', id).execute();
    expect(await rows()).toBe(before);
  });

  test('counts how often the source account has migrated, and the history tells it', async () => {
    const known = await db.selectFrom('account_migrations').selectAll().where('source_account', '=', 'owner').execute();
    const id = await transferred('owner', 'buyer');
    const history = await portal.call(
      migrationEndpoints.list,
      { condition: { content: 'buyer', state: 'transferred' }, sort: { field: 'transferredAtMs', order: 'desc' } },
      { token },
    );
    expect(history.result?.migrations[0]).toMatchObject({
      migrationID: id,
      source: 'owner',
      target: 'buyer',
      transferCount: known.length + 1,
      parentAgents: ['Sonnenwarte Demo Distribution', 'Sonnenwarte Demo Agentur'],
      can: { undo: true },
    });
    const file = await portal.fetch(
      migrationEndpoints.exportList,
      { columns: ['source', 'target', 'transferCount'], condition: { content: 'buyer', state: 'transferred' } },
      { token },
    );
    expect((await file.text()).split('\r\n')[1]).toBe(`owner,buyer,${known.length + 1}`);
    await undo(id);
  });

  test('is in the log of each tree with that side alone, as its undo is, and the chain holds', async () => {
    const id = await transferred('owner', 'southerner');
    const told = async (reader: string, action: 'transfer' | 'undo') => {
      const { result } = await portal.call(
        auditEndpoints.operationLog,
        { condition: { action: `migrations-of-accounts.${action}` }, pageSize: 10 },
        { token: reader },
      );
      const details = [];
      for (const entry of result?.entries.slice(0, 6) ?? []) {
        details.push((await portal.call(auditEndpoints.detail, { id: entry.id }, { token: reader })).result);
      }
      return details.toReversed();
    };
    const losing = await portal.sessionOf('distributor');
    const winning = await portal.sessionOf('distributor-south');
    const sites = expect.arrayContaining([expect.any(String)]);
    const lost = { organisation: 'Sonnenwarte Demo Solartechnik' };
    const won = { organisation: 'Sonnenwarte Demo South', owner: 'southerner' };

    const before = (await told(losing, 'transfer')).slice(-3);
    expect(before).toMatchObject([
      { recordKind: 'migration', recordID: id, recordName: 'owner', before: { account: 'owner' }, after: { sites } },
      { recordKind: 'site', before: lost, after: null },
      { recordKind: 'site', before: lost, after: null },
    ]);
    expect(JSON.stringify(before)).not.toMatch(/southerner|South/);
    const after = (await told(winning, 'transfer')).slice(-3);
    expect(after).toMatchObject([
      {
        recordKind: 'migration',
        recordID: id,
        recordName: 'southerner',
        before: null,
        after: { account: 'southerner' },
      },
      { recordKind: 'site', before: null, after: won },
      { recordKind: 'site', before: null, after: won },
    ]);
    expect(JSON.stringify(after)).not.toMatch(/Solartechnik|"owner":"owner"/);
    expect(await told(token, 'transfer')).toHaveLength(6);

    await undo(id);
    const returned = (await told(losing, 'undo')).slice(-3);
    expect(returned).toMatchObject([
      { recordKind: 'migration', recordID: id, recordName: 'owner', after: { account: 'owner', sites } },
      { recordKind: 'site', before: null, after: lost },
      { recordKind: 'site', before: null, after: lost },
    ]);
    expect(JSON.stringify(returned)).not.toMatch(/southerner|South/);
    expect((await verifyChain(db, sealKeysOf(db), [])).broken).toBeNull();
  });

  test('within one organisation is one entry in its log, with both owners', async () => {
    const id = await transferred('owner', 'neighbour');
    const entries = await db
      .selectFrom('audit_log')
      .select(['record_name', 'before', 'after'])
      .where('record_id', '=', id)
      .execute();
    expect(entries).toMatchObject([
      { record_name: 'owner → neighbour', before: { account: 'owner' }, after: { account: 'neighbour' } },
    ]);
    await undo(id);
  });
});

test('as its source only accounts are offered that have plants', async () => {
  const offered = async (input: Input<typeof migrationEndpoints.accounts>) =>
    (await portal.call(migrationEndpoints.accounts, input, { token })).result.choices.map(({ party }) => party);
  const sources = await offered({});
  expect(sources.map(({ user }) => user)).toContain('owner');
  expect((await offered({ search: 'nobody', ids: [idOf('owner')] })).map(({ user }) => user)).toEqual(['owner']);
  expect(sources.filter(({ sites }) => sites === 0)).toEqual([]);
  expect((await offered({ search: 'buyer', sourceID: idOf('owner') })).map(({ user }) => user)).toContain('buyer');
});

describe('refused', () => {
  test.each([
    ['an end user and an installer', 'owner', 'installer-b', 'migrationKindsDiffer'],
    ['a source without plants', 'buyer', 'owner', 'migrationNothingToMove'],
    ['an account with itself', 'owner', 'owner', 'migrationNothingToMove'],
    ['a member that does not lead', 'installer', 'helper', 'accountNotFound'],
    ['an agent', 'agent', 'installer', 'accountNotFound'],
    ['an administrator', 'owner', 'admin', 'accountNotFound'],
  ] as const)('%s', async (_, source, target, reason) => {
    expect((await preview(source, target)).errno).toBe(errno[reason]);
  });

  test('a target that is shut out', async () => {
    const disabled = (disabled_at: Date | null) =>
      db.updateTable('accounts').set({ disabled_at }).where('username', '=', 'buyer').execute();
    await disabled(new Date());
    expect((await preview('owner', 'buyer')).errno).toBe(errno.accountNotFound);
    const choice = await portal.call(
      migrationEndpoints.accounts,
      { search: 'buyer', sourceID: idOf('owner') },
      { token },
    );
    expect(choice.result.choices.map(({ name }) => name).sort()).toEqual(['far-buyer', 'free-buyer']);
    await disabled(null);
  });
});

describe('the undo', () => {
  test('is refused with the plants and fields that changed since, and changes nothing', async () => {
    const start = await rows();
    const id = await transferred('owner', 'buyer');
    const [plant = ''] = await plantsOf('buyer');
    const { name } = await db.selectFrom('sites').select('name').where('id', '=', plant).executeTakeFirstOrThrow();
    const set = (change: { name: string; city: string }) =>
      db.updateTable('sites').set(change).where('id', '=', plant).execute();
    const { city } = await db.selectFrom('sites').select('city').where('id', '=', plant).executeTakeFirstOrThrow();
    await set({ name: 'Renamed', city: 'Elsewhere' });
    const changed = await rows();
    const refused = await undo(id);
    expect(refused).toMatchObject({
      errno: errno.changedSince,
      result: { obstacles: [{ kind: 'site', id: plant, name: 'Renamed', fields: ['city', 'name'] }] },
    });
    expect(await rows()).toBe(changed);
    await set({ name, city });
    expect((await undo(id)).errno).toBe(0);
    expect(await rows()).toBe(start);
  });

  test('ends after 30 days', async () => {
    const id = await transferred('owner', 'buyer');
    const until = (undo_until: Date) =>
      db.updateTable('account_migrations').set({ undo_until }).where('id', '=', id).execute();
    const { undo_until } = await db
      .selectFrom('account_migrations')
      .select('undo_until')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(undo_until.getTime() - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    await until(new Date(Date.now() - 1));
    expect((await undo(id)).errno).toBe(errno.migrationUndoTooLate);
    await until(undo_until);
    expect((await undo(id)).errno).toBe(0);
  });
});

test('a transfer whose connection dies just before its end leaves nothing behind', async () => {
  const before = await rows();
  const { codeID, code } = await codeFor('owner', 'buyer');
  const transfers = () => sql<{ count: number }>`select count(*)::int as count from account_migrations`.execute(db);
  const known = (await transfers()).rows;
  // The head of the log is what a transfer takes last: whoever holds it stops the transfer with all rows written.
  let dying: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    await sql`select value from process_state where name = 'audit.head' for update`.execute(tx);
    dying = enter(codeID, code);
    for (;;) {
      const { rows: waiting } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where wait_event_type = 'Lock' and query ilike '%process_state%' and pid <> pg_backend_pid()`.execute(db);
      const [transfer] = waiting;
      if (transfer !== undefined) {
        await sql`select pg_terminate_backend(${transfer.pid})`.execute(db);
        return;
      }
      await pause(20);
    }
  });
  expect(await dying).toMatchObject({ errno: errno.storeAway });
  expect(await rows()).toBe(before);
  expect((await transfers()).rows).toEqual(known);
  const done = await enter(codeID, code);
  expect(done.errno).toBe(0);
  await undo(done.result?.migrationID ?? '');
});
