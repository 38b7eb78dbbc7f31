import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOrganisation, startTestStores, type TestStores } from '../testing/ingestion.ts';
import { type ImagedTable, imagedColumns, imagedTables, noteAfter, noteBefore } from './images.ts';
import { restore } from './moves.ts';

/**
 * Columns of which no image is kept, since no deletion or transfer changes them. Whatever else a table has is undone: a new column has to be put
 * here or there.
 */
const notImaged: Readonly<Record<ImagedTable, string>> = {
  organisations: `id parent_id kind name country email path created_at number phone note sign_up_code updated_at`,
  accounts: `id username email phone password_hash name country city address postcode introduction note client_id api_mqtt_enable language demo
    created_at theme time_zone units keys_guarded password_temporary password_changed_at terms_accepted_at last_sign_in_at updated_at
    email_confirmed_at searched`,
  sites: 'id key demo created_at price_changes',
  loggers: `id key sn token_hash quarantined model type firmware hardware profile time_zone ip rssi_dbm report_interval_s online born_at
    last_seen_at created_at provisioned_by pending uplink former_token_hash former_token_until next_token_hash next_token_until
    next_token_command clock_wrong_since`,
};

let stores: TestStores;

beforeAll(async () => {
  stores = await startTestStores();
});
afterAll(() => stores.stop());

test.each(imagedTables)(
  'the images of %s hold every column of the schema that undoing has to bring back',
  async (table) => {
    const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(stores.db);
    const known = [...imagedColumns[table], ...notImaged[table].split(/\s+/)];
    expect(rows.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
  },
);

test('what people entered of a plant is brought back to the letter', async () => {
  const { db } = stores;
  const organisation = await makeOrganisation(db);
  const entered = {
    name: 'Before',
    country: 'DE',
    time_zone: 'Etc/GMT-1',
    place_zone: 'Europe/Berlin',
    arrays: JSON.stringify([
      { azimuthDeg: 180, inclinationDeg: 30, kwp: 5, name: 'South', modules: 12, moduleType: 'M410' },
    ]),
    installer_contact: JSON.stringify({ name: 'Solar Süd', email: 'a@example.com', phone: '' }),
    user_contact: JSON.stringify({ name: 'Huber', email: '', phone: '+49 1' }),
  };
  const { id } = await db
    .insertInto('sites')
    .values({ ...entered, organisation_id: organisation })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = () => db.selectFrom('sites').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const before = await row();
  const nothing = JSON.stringify({ name: '', email: '', phone: '' });
  const change = await db.transaction().execute(async (tx) => {
    const noted = await noteBefore(tx, { sites: [id] });
    const other = {
      time_zone: 'UTC',
      place_zone: null,
      arrays: '[]',
      installer_contact: nothing,
      user_contact: nothing,
    };
    await tx.updateTable('sites').set(other).where('id', '=', id).execute();
    await noteAfter(tx, noted);
    return noted;
  });
  expect(await row()).not.toEqual(before);
  await db.transaction().execute((tx) => restore(tx, change));
  expect(await row()).toEqual(before);
});
