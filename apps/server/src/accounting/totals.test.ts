import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { describe, expect, test } from 'vitest';
import { siteOpening as openingOf } from '../sites/site-opening.store.ts';
import { TestEdge } from '../testing/edge.ts';
import { makePlant, type TestPlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';

const own = ownIngestion();

const startMs = bucketStart(Date.now()) - 3 * 86_400_000;

async function send(
  plant: TestPlant,
  device: string,
  kind: string,
  steps: [minute: number, values: Record<string, number>][],
) {
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  await edge.deviceBirth(device, kind);
  for (const [minute, values] of steps) {
    await edge.data(device, values, { timestampMs: startMs + minute * 60_000, historical: true });
  }
  await edge.end();
  await own.ingestion.drain();
}

const total = async ({ siteId }: TestPlant) =>
  (await own.stores.db.selectFrom('site_latest').select('total_wh').where('site_id', '=', siteId).executeTakeFirst())
    ?.total_wh;
const opening = ({ siteId }: TestPlant) => openingOf(own.stores.db, { id: siteId });

describe('total since the beginning', () => {
  test('is what the counter read first plus what was recorded, also after it began anew', async () => {
    const plant = await makePlant(own.stores.db);
    await send(plant, 'TOT-1', 'inverter', [
      [0, { 'Energy/PvTotal': 5_000 }],
      [5, { 'Energy/PvTotal': 5_000.2 }],
      [10, { 'Energy/PvTotal': 0 }],
      [15, { 'Energy/PvTotal': 0.3 }],
    ]);
    expect(await total(plant)).toBeCloseTo(5_000_500, 3);
    expect(await opening(plant)).toMatchObject({ pv_wh: 5_000_000 });
  });

  test('stays when samples come that are older than the first', async () => {
    const plant = await makePlant(own.stores.db);
    await send(plant, 'TOT-2', 'inverter', [
      [60, { 'Energy/PvTotal': 100 }],
      [65, { 'Energy/PvTotal': 101 }],
    ]);
    expect(await total(plant)).toBeCloseTo(101_000, 3);
    await send(plant, 'TOT-2', 'inverter', [
      [50, { 'Energy/PvTotal': 98 }],
      [55, { 'Energy/PvTotal': 99 }],
    ]);
    expect(await opening(plant)).toMatchObject({ pv_wh: 98_000 });
    expect(await total(plant)).toBeCloseTo(101_000, 3);
  });

  test('is the same after a restart, while nothing speaks', async () => {
    const plant = await makePlant(own.stores.db);
    await send(plant, 'TOT-3', 'inverter', [
      [0, { 'Energy/PvTotal': 700 }],
      [5, { 'Energy/PvTotal': 701 }],
    ]);
    await own.ingestion.stop();
    await own.stores.db.updateTable('site_latest').set({ total_wh: null, local_day: null }).execute();
    await own.start();
    await own.ingestion.drain();
    expect(await total(plant)).toBeCloseTo(701_000, 3);
  });

  test('completes consumption by the balance of the counters, but takes no purchase or feed-in from a difference', async () => {
    const known = await makePlant(own.stores.db);
    await send(known, 'TOT-4', 'inverter', [
      [0, { 'Energy/PvTotal': 1_100, 'Energy/AcOutTotal': 1_000, 'Energy/AcInTotal': 0 }],
      [5, { 'Energy/PvTotal': 1_101, 'Energy/AcOutTotal': 1_000, 'Energy/AcInTotal': 0 }],
    ]);
    await send(known, 'TOT-5', 'meter', [
      [0, { 'Meter/ImportTotal': 300, 'Meter/ExportTotal': 400 }],
      [5, { 'Meter/ImportTotal': 300, 'Meter/ExportTotal': 400 }],
    ]);
    expect(await opening(known)).toMatchObject({ load_wh: 900_000, import_wh: 300_000, export_wh: 400_000 });
    const unknown = await makePlant(own.stores.db);
    await send(unknown, 'TOT-6', 'inverter', [
      [0, { 'Energy/AcOutTotal': 1_000, 'Energy/AcInTotal': 0, 'Energy/LoadTotal': 400 }],
      [5, { 'Energy/AcOutTotal': 1_000, 'Energy/AcInTotal': 0, 'Energy/LoadTotal': 400 }],
    ]);
    expect(await opening(unknown)).toMatchObject({ load_wh: 400_000, import_wh: null, export_wh: null });
  });
});

describe('a first reading', () => {
  test.each([0, 4_294_967.295])(
    'of %d kWh while the device boots does not spoil the total since the beginning',
    async (nonsense) => {
      const plant = await makePlant(own.stores.db);
      const sn = `BOOT-${nonsense > 0 ? 'F' : '0'}`;
      await send(plant, sn, 'inverter', [[0, { 'Energy/PvTotal': nonsense }]]);
      expect((await opening(plant)).pv_wh ?? null).toBeNull();
      await send(plant, sn, 'inverter', [
        [5, { 'Energy/PvTotal': nonsense }],
        [10, { 'Energy/PvTotal': 6_455.8 }],
      ]);
      await own.restart();
      await send(plant, sn, 'inverter', [
        [15, { 'Energy/PvTotal': 6_455.9 }],
        [20, { 'Energy/PvTotal': 6_456 }],
      ]);
      expect(await opening(plant)).toMatchObject({ pv_wh: 6_455_800 });
      expect(await total(plant)).toBeCloseTo(6_456_000, 3);
      await send(plant, sn, 'inverter', [
        [-10, { 'Energy/PvTotal': nonsense }],
        [-5, { 'Energy/PvTotal': 6_455.7 }],
      ]);
      expect(await total(plant)).toBeCloseTo(6_456_000, 3);
      await own.ingestion.stop();
      await own.stores.db.updateTable('site_latest').set({ total_wh: null, local_day: null }).execute();
      await own.start();
      await own.ingestion.drain();
      expect(await total(plant)).toBeCloseTo(6_456_000, 3);
    },
  );
});

describe('sparse reporters', () => {
  test('a counter that was last heard hours before a restart goes on from there', async () => {
    const plant = await makePlant(own.stores.db);
    await send(plant, 'SPARSE-1', 'inverter', [
      [0, { 'Energy/PvTotal': 50, 'DC/Power': 100 }],
      ...Array.from({ length: 20 }, (_, step): [number, Record<string, number>] => [
        10 + 15 * step,
        { 'DC/Power': 200 },
      ]),
    ]);
    await own.restart();
    await send(plant, 'SPARSE-1', 'inverter', [
      [320, { 'DC/Power': 200 }],
      [330, { 'Energy/PvTotal': 53 }],
    ]);
    expect(await total(plant)).toBeCloseTo(53_000, 3);
    const [sum] = await (
      await own.stores.telemetry.client.query({
        query: `SELECT sumIf(pv_wh, NOT isNaN(pv_wh)) AS wh FROM site_day FINAL WHERE site = ${plant.siteKey}`,
        format: 'JSONEachRow',
      })
    ).json<{ wh: number }>();
    expect(sum?.wh).toBeCloseTo(3_000, 3);
  });
});
