import { bucketStart } from '@sonnenwarte/energy/bucket-span';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stores } from '../stores/stores.ts';
import { TestEdge } from '../testing/edge.ts';
import { makePlant, startTestIngestion, startTestStores, type TestIngestion } from '../testing/ingestion.ts';
import { writeMark } from './high-water.ts';

let stores: Stores;
let ingestion: TestIngestion;

beforeAll(async () => {
  stores = await startTestStores();
  ingestion = await startTestIngestion(stores);
});

afterAll(async () => {
  await ingestion?.stop();
  await stores?.stop();
});

const pvOf = async (table: string, site: number): Promise<unknown[]> =>
  (
    await stores.telemetry.client.query({
      query: `SELECT count() AS rows, round(sum(pv_wh), 3) AS pv FROM ${table} FINAL WHERE site = ${site} AND NOT isNaN(pv_wh)`,
      format: 'JSONEachRow',
    })
  ).json();

test('where the process ended between the buckets of the devices and those of their plants, the plants get theirs at the next start', async () => {
  const beganMs = Date.now();
  const plant = await makePlant(stores.db);
  const startMs = bucketStart(beganMs) - 86_400_000;
  const edge = await TestEdge.connect(ingestion.port, plant.sn);
  await edge.birth();
  await edge.deviceBirth('REC-1', 'inverter');
  for (const [minute, kwh] of [5, 5.2, 5.5, 5.9, 6].entries()) {
    const timestampMs = startMs + minute * 300_000;
    await edge.data('REC-1', { 'Energy/PvTotal': kwh }, { timestampMs, historical: true });
  }
  await edge.end();
  await ingestion.drain();
  const tables = ['site_5m', 'site_hour', 'site_day'];
  const sums = () => Promise.all(tables.map((table) => pvOf(table, plant.siteKey)));
  const before = await sums();
  expect(before[0]).toEqual([{ rows: 4, pv: 1_000 }]);

  await ingestion.stop();
  for (const table of tables) {
    await stores.telemetry.client.command({ query: `DELETE FROM ${table} WHERE site = ${plant.siteKey}` });
  }
  await writeMark(stores.db, beganMs);
  ingestion = await startTestIngestion(stores);
  await ingestion.drain();
  expect(await sums()).toEqual(before);
});
