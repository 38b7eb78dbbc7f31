import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { expect, test } from 'vitest';
import { TestEdge } from '../testing/edge.ts';
import { makePlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { writeMark } from './high-water.ts';

const own = ownIngestion();

const pvOf = async (table: string, site: number): Promise<unknown[]> =>
  (
    await own.stores.telemetry.client.query({
      query: `SELECT count() AS rows, round(sum(pv_wh), 3) AS pv FROM ${table} FINAL WHERE site = ${site} AND NOT isNaN(pv_wh)`,
      format: 'JSONEachRow',
    })
  ).json();

test('where the process ended between the buckets of the devices and those of their plants, the plants get theirs at the next start', async () => {
  const beganMs = Date.now();
  const plant = await makePlant(own.stores.db);
  const startMs = bucketStart(beganMs) - 86_400_000;
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  await edge.deviceBirth('REC-1', 'inverter');
  for (const [minute, kwh] of [5, 5.2, 5.5, 5.9, 6].entries()) {
    const timestampMs = startMs + minute * 300_000;
    await edge.data('REC-1', { 'Energy/PvTotal': kwh }, { timestampMs, historical: true });
  }
  await edge.end();
  await own.ingestion.drain();
  const tables = ['site_5m', 'site_hour', 'site_day'];
  const sums = () => Promise.all(tables.map((table) => pvOf(table, plant.siteKey)));
  const before = await sums();
  expect(before[0]).toEqual([{ rows: 4, pv: 1_000 }]);

  await own.ingestion.stop();
  for (const table of tables) {
    await own.stores.telemetry.client.command({ query: `DELETE FROM ${table} WHERE site = ${plant.siteKey}` });
  }
  await writeMark(own.stores.db, beganMs);
  await own.start();
  await own.ingestion.drain();
  expect(await sums()).toEqual(before);
});
