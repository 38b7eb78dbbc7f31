import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeRunning } from '../accounting/running-figures.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { callInto, changedDuring } from '../testing/row-locks.ts';

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
});

afterAll(() => plants?.stop());

/** Plants of which lists and the map look at something else than the plant itself has. */
async function wronglyListed(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from sites left join site_latest l on l.site_id = sites.id
    where (l.site_key, l.site_organisation_id, l.site_owner_id, l.site_name, l.site_city, l.site_country, l.site_type, l.site_zone,
        l.site_kwp, l.site_latitude, l.site_longitude, l.site_deleted)
      is distinct from
      (key, organisation_id, owner_account_id, lower(name), lower(nullif(city, '')), country, type, time_zone,
        system_size_kwp, latitude, longitude, deleted_at is not null)`.execute(plants.db);
  return rows.map(({ name }) => name);
}

/** Two plants of an installer, in the order of their ids. */
async function twoPlants() {
  const { id } = await plants.addOrganisation('installer');
  const added = [await plants.addSite(id, { name: 'One' }), await plants.addSite(id, { name: 'Two' })];
  const [first = { id: '' }, second = { id: '' }] = added.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { first, second, organisationID: id, token: plants.signIn(await plants.addAccount(id, 2)) };
}

test('whatever changes of a plant, lists order and filter by what it is now', async () => {
  const { first, second, organisationID } = await twoPlants();
  const other = await plants.addOrganisation('installer');
  const { id: owner } = await plants.addAccount(organisationID, 1);
  const changes = [
    { name: 'Änderung' },
    { city: 'Łódź' },
    { city: '' },
    { country: 'PL' },
    { type: 3 },
    { time_zone: 'Asia/Seoul' },
    { system_size_kwp: 12.5 },
    { latitude: 51, longitude: 19 },
    { latitude: null, longitude: null },
    { organisation_id: other.id },
    { owner_account_id: owner },
    { owner_account_id: null },
    { deleted_at: new Date() },
    { deleted_at: null },
  ];
  expect(await wronglyListed()).toEqual([]);
  for (const change of changes) {
    await plants.db.updateTable('sites').set(change).where('id', 'in', [first.id, second.id]).execute();
    expect(await wronglyListed(), JSON.stringify(change)).toEqual([]);
  }
});

test('who renames a plant twice at once finds it under the later name', async () => {
  const { first, token } = await twoPlants();
  const rename = (name: string, db = plants.db) =>
    db.updateTable('sites').set({ name }).where('id', '=', first.id).execute();
  await changedDuring(
    plants.db,
    (tx) => rename('Earlier', tx),
    () => rename('Later'),
  );
  const named = async (content: string) =>
    (await plants.read(siteEndpoints.list, { condition: { content, contentType: 2 } }, token)).total;
  expect([await named('earlier'), await named('later')]).toEqual([0, 1]);
});

test('plants that change while their figures are written wait for each other, and neither is broken off', async () => {
  const { first, second, organisationID, token } = await twoPlants();
  const bothRenamed = () =>
    sql`update sites set name = name || ' renamed' where organisation_id = ${organisationID}`.execute(plants.db);
  const figures = [second, first].map((site) => ({ site, day: '2026-11-25', todayWh: 5, monthWh: 6, totalWh: 7 }));
  const calls = await plants.db.transaction().execute(async (tx) => {
    await tx.updateTable('site_latest').set({ pv_w: 1 }).where('site_id', '=', first.id).execute();
    const renaming = await callInto(plants.db, bothRenamed);
    const writing = await callInto(plants.db, () => writeRunning(plants.db, figures));
    return [renaming.answer, writing.answer];
  });
  await Promise.all(calls);
  const told = await plants.read(siteEndpoints.list, { condition: { content: 'renamed', contentType: 2 } }, token);
  expect(told.plants.map(({ totalWh }) => totalWh)).toEqual([7, 7]);
});
