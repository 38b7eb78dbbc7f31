import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { beforeEach, expect, test } from 'vitest';
import { TestEdge } from '../../testing/edge.ts';
import { makePlant, startTestIngestion } from '../../testing/ingestion.ts';
import { JsonDatalogger } from '../../testing/json-datalogger.ts';
import { ownIngestion } from '../../testing/own-ingestion.ts';

const own = ownIngestion();
let plant: { siteId: string; siteKey: number; sn: string };
let device: string;
beforeEach(async () => {
  plant = await makePlant(own.stores.db);
  device = `K${plant.sn}`;
});

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const refused = () => own.ingestion.counted('ingest_rejected_total', { reason: 'kind-changed' });

const row = () => own.stores.db.selectFrom('devices').selectAll().where('sn', '=', device).executeTakeFirstOrThrow();

const latest = () =>
  own.stores.db
    .selectFrom('device_latest')
    .innerJoin('devices', 'devices.id', 'device_latest.device_id')
    .select(['device_latest.ts', 'device_latest.values', 'power_w', 'total_wh'])
    .where('devices.sn', '=', device)
    .executeTakeFirstOrThrow();

/** Energy of the site by day, Wh. */
async function days(): Promise<number[]> {
  const query = `SELECT round(pv_wh, 3) AS pv FROM site_day FINAL WHERE site = ${plant.siteKey} ORDER BY day`;
  const answer = await own.stores.telemetry.client.query({ query, format: 'JSONEachRow' });
  return (await answer.json<{ pv: number }>()).map(({ pv }) => pv);
}

const reading = (tsMs: number, values: Record<string, unknown>, more = {}) => ({
  ts: tsMs,
  dev: device,
  kind: 'inverter',
  v: values,
  ...more,
});

test('a message about the past that tells another kind is refused by name: days, latest values and the device stay', async () => {
  const datalogger = await JsonDatalogger.connect(own.ingestion.port, plant.sn);
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * DAY_MS;
  const past = Array.from({ length: 37 }, (_, step) =>
    reading(startMs + step * HOUR_MS * 2, { 'Energy/PvTotal': 500 + step }, { hist: true }),
  );
  await datalogger.tell(past);
  await datalogger.tell(reading(Date.now(), { 'AC/ActivePower': 900, 'Energy/PvTotal': 537 }));
  await own.ingestion.drain();
  const before = { days: await days(), latest: await latest(), row: await row() };
  expect(before.days.reduce((sum, wh) => sum + wh, 0)).toBeCloseTo(37_000, 0);
  const count = await refused();
  for (const kind of ['meter', 'battery', 'station']) {
    const wrong = { ...reading(startMs + DAY_MS, { 'Meter/ImportTotal': 1 }, { hist: true }), kind };
    await datalogger.tell(wrong);
    await datalogger.tell({ ...wrong, ts: Date.now(), hist: false });
  }
  await own.ingestion.drain();
  expect(await refused()).toBe(count + 6);
  expect({ days: await days(), latest: await latest(), row: await row() }).toEqual({
    ...before,
    row: { ...before.row, last_seen_at: expect.any(Date) },
  });
  await datalogger.end();
});

test('a birth that tells another kind is refused, and so is what it declared, until the right kind is born again', async () => {
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  const power = (value: number) => ({ name: 'AC/ActivePower', alias: 7, datatype: DataType.Double, value });
  await edge.deviceBirth(device, 'inverter', [power(100)]);
  const count = await refused();
  await edge.deviceBirth(device, 'meter', [
    { name: 'Meter/ActivePower', alias: 7, datatype: DataType.Double, value: 5_000 },
  ]);
  await edge.send('DDATA', device, [{ alias: 7, datatype: DataType.Double, value: 5_001 }]);
  await edge.data(device, { 'Meter/ActivePower': 5_002 });
  await own.ingestion.drain();
  expect(await refused()).toBe(count + 3);
  expect(await row()).toMatchObject({ kind: 'inverter' });
  expect(await latest()).toMatchObject({ power_w: 100 });
  await edge.deviceBirth(device, 'inverter', [power(101)]);
  await edge.send('DDATA', device, [{ alias: 7, datatype: DataType.Double, value: 102 }]);
  await own.ingestion.drain();
  expect(await latest()).toMatchObject({ power_w: 102 });
  await edge.end();
});

test('a kind that was guessed from names gives way to the one that is told, as long as nothing of it is stored', async () => {
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  await edge.send('DBIRTH', device, [{ name: 'Vendor/Mood', datatype: DataType.String, value: 'sunny' }]);
  await own.ingestion.drain();
  expect(await row()).toMatchObject({ kind: 'inverter', kind_guessed: true });
  const count = await refused();
  await edge.deviceBirth(device, 'meter', [{ name: 'Meter/ActivePower', datatype: DataType.Double, value: 70 }]);
  await own.ingestion.drain();
  expect(await row()).toMatchObject({ kind: 'meter', kind_guessed: false });
  expect(await latest()).toMatchObject({ power_w: 70 });
  expect(await refused()).toBe(count);
  await edge.deviceBirth(device, 'battery');
  expect(await refused()).toBe(count + 1);
  await edge.end();
});

test('a guess by which values were stored stays, also over a restart', async () => {
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  await edge.send('DBIRTH', device, [{ name: 'Bat/Soc', datatype: DataType.Double, value: 55 }]);
  await own.ingestion.drain();
  expect(await row()).toMatchObject({ kind: 'battery', kind_guessed: false });
  await edge.end();
  const again = await startTestIngestion(own.stores);
  const other = await TestEdge.connect(again.port, plant.sn);
  await other.birth();
  await other.deviceBirth(device, 'inverter');
  await again.drain();
  expect(await again.counted('ingest_rejected_total', { reason: 'kind-changed' })).toBe(1);
  expect(await row()).toMatchObject({ kind: 'battery' });
  await other.end();
  await again.stop();
});

test('named data of a device that nobody knows are no reason to guess where they fit no kind: the birth is asked for', async () => {
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  const asked = edge.nextCommand();
  await edge.data(device, { 'Vendor/Voltage': 230 });
  await asked;
  expect(await own.ingestion.counted('ingest_rejected_total', { reason: 'no-birth' })).toBeGreaterThan(0);
  await edge.deviceBirth(device, 'meter', [{ name: 'Meter/ActivePower', datatype: DataType.Double, value: 71 }]);
  await own.ingestion.drain();
  expect(await row()).toMatchObject({ kind: 'meter' });
  await edge.end();
});
