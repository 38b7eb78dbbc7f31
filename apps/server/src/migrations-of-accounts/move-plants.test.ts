import { undo } from '@sonnenwarte/contract/deletions/deletions';
import { errno } from '@sonnenwarte/contract/errors';
import { migrationEndpoints } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { siteShareEndpoints } from '@sonnenwarte/contract/site-shares/site-shares';
import { remove } from '@sonnenwarte/contract/user-management/user-management';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { changedDuring } from '../testing/row-locks.ts';
import { startTransfers } from '../testing/transfers-fixture.ts';

let world: Awaited<ReturnType<typeof startTransfers>>;
let ids: string[];

beforeAll(async () => {
  world = await startTransfers();
});
afterAll(() => world?.portal.stop());

/** Two plants of the owner, and one of nobody. */
beforeEach(async () => {
  const installer = demoOrganisationId('installer');
  const made = await world.db
    .insertInto('sites')
    .values(
      ['owner', 'neighbour', ''].map((user) => ({
        name: `Of ${user}`,
        organisation_id: installer,
        owner_account_id: user === '' ? null : world.idOf(user),
        country: 'DE',
        time_zone: 'Europe/Berlin',
        system_size_kwp: 5,
        latitude: null,
        longitude: null,
        altitude_m: null,
        rated_power_w: null,
        deleted_at: null,
        arrays: '[]',
      })),
    )
    .returning('id')
    .execute();
  ids = made.map(({ id }) => id);
  await sql`insert into loggers (sn, site_id, organisation_id)
    select (800000000000000 + (random() * 1e12)::bigint)::text, id, ${installer}::uuid from sites where id = any(${ids}::uuid[])`.execute(
    world.db,
  );
});

interface Target {
  ownerID?: string;
  organisationID?: string;
}
const preview = (target: Target, stationIDs = ids) =>
  world.portal.call(migrationEndpoints.plantsPreview, { stationIDs, ...target }, { token: world.token });
const move = (target: Target, seen: string, stationIDs = ids) =>
  world.portal.call(migrationEndpoints.movePlants, { stationIDs, ...target, seen }, { token: world.token });
const moved = async (target: Target): Promise<string> => {
  const shown = await preview(target);
  const done = await move(target, shown.result.seen);
  expect(done.errno).toBe(0);
  return done.result.migrationID;
};
const places = async () => {
  const { rows } = await sql<{ owner: string | null; organisation: string; of_loggers: string }>`
    select owner_account_id as owner, sites.organisation_id as organisation, loggers.organisation_id as of_loggers
    from sites join loggers on loggers.site_id = sites.id where sites.id = any(${ids}::uuid[]) order by sites.id`.execute(
    world.db,
  );
  return rows;
};

describe('chosen plants', () => {
  test('go to another owner, another organisation, or both, with their dataloggers, and come back by one undo', async () => {
    const before = await places();
    const ownerID = world.idOf('buyer');
    const organisationID = demoOrganisationId('installer-2');
    const shown = await preview({ ownerID, organisationID });
    expect(shown.result.sites).toHaveLength(3);
    expect(shown.result.sites[0]).toMatchObject({ to: { owner: 'buyer' }, dataloggers: 1 });
    const migration = await moved({ ownerID, organisationID });
    const gone = { owner: ownerID, organisation: organisationID, of_loggers: organisationID };
    expect(await places()).toEqual([gone, gone, gone]);
    expect(await world.plantsOf('buyer')).toEqual(expect.arrayContaining(ids));
    expect((await world.undo(migration)).errno).toBe(0);
    expect(await places()).toEqual(before);

    await moved({ ownerID });
    expect(await places()).toEqual(before.map((each) => ({ ...each, owner: ownerID })));
  });

  test('stand in the history of migrations, told from those of accounts', async () => {
    const migrationID = await moved({ ownerID: world.idOf('buyer') });
    const { result } = await world.portal.call(migrationEndpoints.list, {}, { token: world.token });
    expect(result.migrations[0]).toMatchObject({ migrationID, kind: 'plants', target: 'buyer', sites: 3 });
    const detail = await world.portal.call(migrationEndpoints.detail, { migrationID }, { token: world.token });
    expect(detail.result.plants.map(({ stationID }) => stationID).sort()).toEqual([...ids].sort());
    await world.undo(migrationID);
    const after = await world.portal.call(migrationEndpoints.list, {}, { token: world.token });
    expect(after.result.migrations[0]).toMatchObject({ migrationID, state: 'undone' });
  });

  test('move all or none: as they were shown, and where all are there', async () => {
    const before = await places();
    const target = { ownerID: world.idOf('buyer') };
    const { seen } = (await preview(target)).result;
    const [first = ''] = ids;
    await world.db.updateTable('sites').set({ owner_account_id: null }).where('id', '=', first).execute();
    expect((await move(target, seen)).errno).toBe(errno.migrationSitesChanged);
    await world.db
      .updateTable('sites')
      .set({ owner_account_id: world.idOf('owner') })
      .where('id', '=', first)
      .execute();
    const deleted = await changedDuring(
      world.db,
      (tx) => tx.updateTable('sites').set({ deleted_at: new Date() }).where('id', '=', first).execute(),
      () => move(target, seen),
    );
    expect(deleted.errno).toBe(errno.siteNotFound);
    await world.db.updateTable('sites').set({ deleted_at: null }).where('id', '=', first).execute();
    expect(await places()).toEqual(before);
  });

  test('that are there already stay out of it', async () => {
    const owner = { ownerID: world.idOf('owner') };
    expect((await preview(owner)).result).toMatchObject({ staying: 1 });
    expect((await preview(owner, ids.slice(0, 1))).errno).toBe(errno.migrationNothingToMove);
    expect((await preview({})).errno).toBe(errno.migrationNothingToMove);
    expect((await preview({ ownerID: world.idOf('installer') })).errno).toBe(errno.accountNotFound);
  });

  test('are shared no more with whom their former owner shared them, until the migration is undone', async () => {
    const shared = await world.portal.call(
      siteShareEndpoints.add,
      { stationIDs: ids, account: 'far-buyer' },
      { token: await world.portal.sessionOf('installer') },
    );
    expect(shared.errno).toBe(0);
    expect(await world.plantsOf('far-buyer')).toEqual(expect.arrayContaining(ids));
    const target = { ownerID: world.idOf('owner') };
    expect((await preview(target)).result.endingShares).toBe(2);
    const migration = await moved(target);
    expect(await world.plantsOf('far-buyer')).toEqual(ids.slice(0, 1));
    // Who is given it anew keeps that.
    const anew = await world.portal.call(
      siteShareEndpoints.add,
      { stationIDs: ids.slice(1, 2), account: 'far-buyer', right: 'workMode' },
      { token: await world.portal.sessionOf('owner') },
    );
    expect(anew.errno).toBe(0);
    expect((await world.undo(migration)).errno).toBe(0);
    expect((await world.plantsOf('far-buyer')).sort()).toEqual([...ids].sort());
  });

  test('are told to each side in the log by what concerns it', async () => {
    const organisationID = demoOrganisationId('distributor-2');
    await moved({ organisationID });
    const { rows } = await sql<{ before: unknown; after: unknown }>`
      select before, after from audit_log where record_id = ${ids[0]} and action = 'migrations-of-accounts.transfer' order by id`.execute(
      world.db,
    );
    expect(rows).toMatchObject([
      { before: { owner: expect.any(String) }, after: null },
      { before: null, after: { organisation: expect.any(String) } },
    ]);
  });
});

test('a cancelled owner shares no longer; undoing gives the shares back with the plants', async () => {
  const { portal } = world;
  const [first = ''] = ids;
  await portal.call(
    siteShareEndpoints.add,
    { stationIDs: [first], account: 'far-buyer' },
    { token: await portal.sessionOf('owner') },
  );
  const removed = await portal.call(remove, { id: world.idOf('owner') }, { token: world.token });
  expect(removed.errno).toBe(0);
  expect(await world.plantsOf('far-buyer')).not.toContain(first);
  const undone = await portal.call(undo, { id: removed.result.deletionID }, { token: world.token });
  expect(undone.errno).toBe(0);
  expect(await world.plantsOf('far-buyer')).toContain(first);
});
