import { errno } from '@sonnenwarte/contract/errors';
import { organisationEndpoints } from '@sonnenwarte/contract/organisations/organisations';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { userManagementEndpoints as calls } from '@sonnenwarte/contract/user-management/user-management';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { narrowAdministrator, platformId } from '../testing/people.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { callInto, changedDuring } from '../testing/row-locks.ts';

let portal: TestPortal;
let admin: { token: string };
let platform: string;
/** Without owner. */
let freePlants: { id: string; organisation_id: string }[];
const missing = '11111111-1111-4111-8111-111111111111';
const installer = demoOrganisationId('installer');
const other = demoOrganisationId('installer-2');

beforeAll(async () => {
  portal = await startTestPortal();
  admin = { token: await portal.sessionOf('admin') };
  platform = await platformId(portal);
  freePlants = await db()
    .selectFrom('sites')
    .select(['id', 'organisation_id'])
    .where('owner_account_id', 'is', null)
    .where('organisation_id', 'not in', [installer, other])
    .orderBy('key')
    .execute();
});
afterEach(async () => {
  for (const { id, organisation_id } of freePlants) await putSites([id], organisation_id, null);
});
afterAll(() => portal?.stop());

const db = () => portal.server.stores.db;
let made = 0;

/** An end user without an installer, and plants of the demonstration that now are its own, with their dataloggers. */
async function endUser(plants = 0, organisationID = platform): Promise<{ id: string; user: string; sites: string[] }> {
  made += 1;
  const user = `owner-${made}`;
  const input = {
    level: 1 as const,
    organisationID,
    user,
    email: `${user}@example.com`,
    name: '',
    phone: '',
    country: '',
  };
  const { result } = await portal.call(calls.add, input, admin);
  await db().updateTable('accounts').set({ password_temporary: false }).where('id', '=', result.id).execute();
  const sites = freePlants.slice(0, plants).map((site) => site.id);
  await putSites(sites, organisationID, result.id);
  return { id: result.id, user, sites };
}

async function putSites(ids: readonly string[], organisation_id: string, owner_account_id: string | null) {
  if (ids.length === 0) return;
  await db().updateTable('sites').set({ organisation_id, owner_account_id }).where('id', 'in', ids).execute();
  await db().updateTable('loggers').set({ organisation_id }).where('site_id', 'in', ids).execute();
}

const placeOf = async (id: string) =>
  (await db().selectFrom('accounts').select('organisation_id').where('id', '=', id).executeTakeFirstOrThrow())
    .organisation_id;
const placesOf = async (sites: readonly string[]) => {
  const own = await db().selectFrom('sites').select('organisation_id').where('id', 'in', sites).execute();
  const dataloggers = await db()
    .selectFrom('loggers')
    .select('organisation_id')
    .where('site_id', 'in', sites)
    .execute();
  return [...new Set([...own, ...dataloggers].map(({ organisation_id }) => organisation_id))];
};
const plantsOf = async (user: string) =>
  (await portal.call(siteEndpoints.list, { pageSize: 50 }, { token: await portal.sessionOf(user) })).result.plants.map(
    ({ stationID }) => stationID,
  );
const move = (id: string, organisationID: string, as = admin, expectedSites?: number) =>
  portal.call(calls.move, { id, organisationID, ...(expectedSites !== undefined && { expectedSites }) }, as);
const audits = (recordId: string) =>
  db()
    .selectFrom('audit_log')
    .select(['log', 'actor', 'record_kind', 'before', 'after'])
    .select(sql<string[]>`organisation_path::text[]`.as('path'))
    .where('action', '=', 'user-management.move')
    .where('record_id', '=', recordId)
    .orderBy('id', 'desc')
    .execute();

describe('moving an end user', () => {
  test('takes along its plants and their dataloggers; the installer sees them from then on, the owner still does', async () => {
    const { id, user, sites } = await endUser(2);
    const preview = await portal.call(calls.movePreview, { id, organisationID: installer }, admin);
    expect(preview.result).toMatchObject({ from: 'Sonnenwarte', to: 'Sonnenwarte Demo Solartechnik', staying: 0 });
    expect(preview.result.sites.map(({ stationID }) => stationID).toSorted()).toEqual(sites.toSorted());
    expect(preview.result.sites.every(({ devices, dataloggers }) => devices > 0 && dataloggers > 0)).toBe(true);
    expect(await plantsOf('installer')).not.toEqual(expect.arrayContaining(sites));

    expect(await move(id, installer, admin, 2)).toMatchObject({ errno: 0, result: { sites: 2 } });

    expect(await placeOf(id)).toBe(installer);
    expect(await placesOf(sites)).toEqual([installer]);
    expect(await plantsOf('installer')).toEqual(expect.arrayContaining(sites));
    expect((await plantsOf(user)).toSorted()).toEqual(sites.toSorted());
  });

  test('leaves alone the plants that another organisation looks after, and says so before', async () => {
    const { id, sites } = await endUser(2);
    const [own = '', others = ''] = sites;
    await putSites([others], other, id);
    const { result } = await portal.call(calls.movePreview, { id, organisationID: installer }, admin);
    expect(result).toMatchObject({ sites: [{ stationID: own }], staying: 1 });
    expect((await move(id, installer)).result).toEqual({ sites: 1 });
    expect(await placesOf([own])).toEqual([installer]);
    expect(await placesOf([others])).toEqual([other]);
  });

  test('is logged for both organisations, of the account and of each plant', async () => {
    const { id, sites } = await endUser(1);
    const [site = ''] = sites;
    await move(id, installer);
    const [entry] = await audits(id);
    expect(entry).toMatchObject({
      log: 'account',
      actor: 'admin',
      record_kind: 'account',
      before: { organisation: 'Sonnenwarte' },
      after: { organisation: 'Sonnenwarte Demo Solartechnik', sites: [expect.any(String)] },
    });
    expect(entry?.path).toEqual(expect.arrayContaining([platform, demoOrganisationId('agent'), installer]));
    const [ofSite] = await audits(site);
    expect(ofSite).toMatchObject({
      log: 'operation',
      record_kind: 'site',
      before: { organisation: 'Sonnenwarte' },
      after: { organisation: 'Sonnenwarte Demo Solartechnik' },
    });
  });

  test('to where it is already changes and logs nothing', async () => {
    const { id } = await endUser(1, installer);
    expect(await move(id, installer)).toMatchObject({ errno: 0, result: { sites: 0 } });
    expect(await audits(id)).toEqual([]);
  });

  test('is refused with 42145 where other plants would go along than were shown', async () => {
    const { id, sites } = await endUser(1);
    expect(await move(id, installer, admin, 2)).toMatchObject({ errno: errno.consequencesChanged });
    expect(await placeOf(id)).toBe(platform);
    expect(await placesOf(sites)).toEqual([platform]);
  });

  test.each(['installer', 'agent', 'distributor', 'integrator', 'admin'])('is not done with %s', async (user) => {
    const account = await db()
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user)
      .executeTakeFirstOrThrow();
    const input = { id: account.id, organisationID: other };
    expect(await move(input.id, input.organisationID)).toMatchObject({ errno: errno.notToThisAccount });
    expect(await portal.call(calls.movePreview, input, admin)).toMatchObject({ errno: errno.notToThisAccount });
  });

  test.each(['distributor', 'agent', 'installer', 'owner'])(
    'is not for %s: nobody takes over strangers',
    async (user) => {
      const { id } = await endUser();
      const as = { token: await portal.sessionOf(user) };
      expect(await move(id, installer, as)).toMatchObject({ errno: errno.noPermission });
      expect(await portal.call(calls.movePreview, { id, organisationID: installer }, as)).toMatchObject({
        errno: errno.noPermission,
      });
      expect(await placeOf(id)).toBe(platform);
    },
  );

  test('needs the code for editing members', async () => {
    const { id } = await endUser();
    expect(await move(id, installer, await narrowAdministrator(portal, ['member:query', 'member:add']))).toMatchObject({
      errno: errno.noPermission,
    });
  });

  test('into an organisation that is disabled or deleted is answered as if it did not exist', async () => {
    const { id } = await endUser();
    const unknown = await move(id, missing);
    expect(unknown.errno).toBe(errno.organisationNotFound);
    for (const column of ['disabled_at', 'deleted_at'] as const) {
      const set = (at: Date | null) =>
        db()
          .updateTable('organisations')
          .set({ [column]: at })
          .where('id', '=', other)
          .execute();
      await set(new Date());
      expect(await move(id, other)).toEqual(unknown);
      expect(await portal.call(calls.movePreview, { id, organisationID: other }, admin)).toMatchObject({
        errno: errno.organisationNotFound,
      });
      await set(null);
    }
    expect(await placeOf(id)).toBe(platform);
  });
});

describe('at the same time', () => {
  test('an organisation that is deleted while somebody is being moved into it gets nobody', async () => {
    const { id, sites } = await endUser(1);
    const deleted = (at: Date | null) => ({ deleted_at: at });
    const moved = await changedDuring(
      db(),
      (tx) => tx.updateTable('organisations').set(deleted(new Date())).where('id', '=', other).execute(),
      () => move(id, other),
    );
    await db().updateTable('organisations').set(deleted(null)).where('id', '=', other).execute();
    expect(moved).toMatchObject({ errno: errno.organisationNotFound });
    expect(await placeOf(id)).toBe(platform);
    expect(await placesOf(sites)).toEqual([platform]);
  });

  test('who is deleted while being moved is not moved', async () => {
    const { id } = await endUser();
    const moved = await changedDuring(
      db(),
      (tx) => tx.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', id).execute(),
      () => move(id, other),
    );
    expect(moved).toMatchObject({ errno: errno.accountNotFound });
    expect(await placeOf(id)).toBe(platform);
  });

  test('who leaves an organisation just before that is deleted keeps its plants, and neither call fails', async () => {
    const organisation = { parentID: demoOrganisationId('agent'), kind: 'installer' as const, name: 'Leaving Solar' };
    const lead = { user: 'leaving-lead', accountEmail: 'leaving-lead@example.com', accountName: '' };
    const fields = { country: 'DE', email: 'leaving@example.com', phone: '', note: '' };
    const { result } = await portal.call(organisationEndpoints.add, { ...organisation, ...lead, ...fields }, admin);
    const { id, sites } = await endUser(1, result.id);
    const [moved, deleted] = await db()
      .transaction()
      .execute(async (tx) => {
        await tx.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute();
        return [
          await callInto(db(), () => move(id, other)),
          await callInto(db(), () => portal.call(organisationEndpoints.remove, { id: result.id }, admin)),
        ];
      });
    expect((await moved.answer).errno).toBe(0);
    expect((await deleted.answer).errno).toBe(0);
    expect(await placeOf(id)).toBe(other);
    expect(await placesOf(sites)).toEqual([other]);
    const living = await db()
      .selectFrom('sites')
      .select('id')
      .where('id', 'in', sites)
      .where('deleted_at', 'is', null)
      .execute();
    expect(living).toHaveLength(1);
  });

  test('of two moves both take effect one after the other, with the plants behind', async () => {
    const { id, sites } = await endUser(1);
    const [first, second] = await db()
      .transaction()
      .execute(async (tx) => {
        await tx.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute();
        return [await callInto(db(), () => move(id, installer)), await callInto(db(), () => move(id, other))];
      });
    expect((await first.answer).errno).toBe(0);
    expect((await second.answer).errno).toBe(0);
    expect(await placesOf(sites)).toEqual([await placeOf(id)]);
  });
});
