import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { expect, test } from 'vitest';
import { toldOf } from '../../stores/telemetry-tables.ts';
import { TestEdge } from '../../testing/edge.ts';
import { makePlant } from '../../testing/ingestion.ts';
import { ownIngestion } from '../../testing/own-ingestion.ts';

const own = ownIngestion();

test('a published sample is a raw row, a 5-minute rollup, a running figure and the newest value, and the live hub is told', async () => {
  const plant = await makePlant(own.stores.db);
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  const startMs = bucketStart(Date.now()) - 600_000;
  const device = `INV${plant.sn}`;
  await edge.deviceBirth(device, 'inverter', [{ name: 'Rating/ActivePower', value: 8_000 }]);
  for (let step = 0; step <= 6; step += 1) {
    await edge.data(
      device,
      { 'AC/ActivePower': 3_000, 'DC/Power': 3_100, 'Load/Power': 1_000, 'Energy/PvTotal': 500 + step * 0.1 },
      { timestampMs: startMs + step * 100_000 },
    );
  }
  await own.ingestion.drain();
  const { key } = await own.stores.db
    .selectFrom('devices')
    .select('key')
    .where('sn', '=', device)
    .executeTakeFirstOrThrow();
  const raw = await own.rows<{ n: string }>(
    `SELECT count() AS n FROM raw_inverter FINAL WHERE device = ${key} AND ${toldOf('inverter', { name: 'DC/Power' })} = 3100`,
  );
  expect(Number(raw[0]?.n)).toBe(7);
  const sum = await own.rows<{ pv: number }>(
    `SELECT sumIf(pv_wh, NOT isNaN(pv_wh)) AS pv FROM device_5m FINAL WHERE device = ${key}`,
  );
  expect(sum[0]?.pv).toBeCloseTo(600, 3);
  const site = await own.rows<{ pv: number }>(
    `SELECT sumIf(pv_wh, NOT isNaN(pv_wh)) AS pv FROM site_day FINAL WHERE site = ${plant.siteKey}`,
  );
  expect(site[0]?.pv).toBeCloseTo(600, 3);
  const latest = await own.stores.db
    .selectFrom('site_latest')
    .selectAll()
    .where('site_id', '=', plant.siteId)
    .executeTakeFirstOrThrow();
  expect(latest).toMatchObject({ state: 'normal', load_w: 1_000 });
  expect(latest.total_wh).toBeCloseTo(500_600, 0);
  expect(
    own.ingestion.told.some((change) => change.sites.includes(plant.siteKey) && change.devices.includes(key)),
  ).toBe(true);
  await edge.end();
});
