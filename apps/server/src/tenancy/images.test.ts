import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStores, type TestStores } from '../testing/ingestion.ts';
import { imagedColumns } from './images.ts';

/** What nobody enters: given once, or counted by the server. */
const notEntered = ['id', 'key', 'demo', 'created_at', 'price_changes'];

let stores: TestStores;

beforeAll(async () => {
  stores = await startTestStores();
});
afterAll(() => stores.stop());

test('whatever people can enter of a plant counts as edited since, so that no undoing loses it', async () => {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'sites'::regclass and attnum > 0 and not attisdropped`.execute(stores.db);
  const entered = rows.map(({ name }) => name).filter((name) => !notEntered.includes(name));
  expect([...imagedColumns.sites].toSorted()).toEqual(entered.toSorted());
});
