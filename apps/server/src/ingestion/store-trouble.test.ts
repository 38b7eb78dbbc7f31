import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Stores } from '../stores/stores.ts';
import { breakable } from '../testing/breakable-telemetry.ts';
import { TestEdge, until } from '../testing/edge.ts';
import { makePlant, startTestIngestion, startTestStores, type TestIngestion } from '../testing/ingestion.ts';

let stores: Stores;
let telemetry: ReturnType<typeof breakable>;
let ingestion: TestIngestion;

beforeAll(async () => {
  stores = await startTestStores();
});
afterAll(() => stores?.stop());

beforeEach(async () => {
  telemetry = breakable(stores.telemetry);
  ingestion = await startTestIngestion(
    { ...stores, telemetry },
    { mostQueuedBytes: 64 * 1024, timing: { silentMs: 100 } },
  );
});
afterEach(async () => {
  telemetry.failure = undefined;
  await ingestion.stop();
});

async function born() {
  const plant = await makePlant(stores.db);
  const edge = await TestEdge.connect(ingestion.port, plant.sn);
  const device = `T${plant.sn}`;
  await edge.birth();
  await edge.deviceBirth(device, 'inverter');
  await ingestion.drain();
  return { edge, device, siteKey: plant.siteKey };
}

async function stored(device: string): Promise<Set<number>> {
  const { key } = await stores.db
    .selectFrom('devices')
    .select('key')
    .where('sn', '=', device)
    .executeTakeFirstOrThrow();
  const query = `SELECT toUnixTimestamp64Milli(ts) AS ms FROM raw_inverter FINAL WHERE device = ${key}`;
  const answer = await stores.telemetry.client.query({ query, format: 'JSONEachRow' });
  return new Set((await answer.json<{ ms: string }>()).map(({ ms }) => Number(ms)));
}

const rename = (from: string, to: string) =>
  stores.asOwner((owner) => owner.schema.alterTable(from).renameTo(to).execute());

const diskFull = () =>
  Object.assign(new Error('Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space'), { code: '243' });

test('with a full disk samples are held, then refused, and all that are acknowledged are stored when it ends', async () => {
  const { edge, device } = await born();
  const startMs = Date.now() - 600_000;
  const acknowledged: number[] = [];
  telemetry.failure = diskFull;
  const closed = new Promise<void>((resolve) => edge.client.once('close', () => resolve()));
  const sending = Promise.allSettled(
    Array.from({ length: 200 }, async (_, step) => {
      const timestampMs = startMs + step * 1_000;
      await edge.data(device, { 'AC/ActivePower': step }, { timestampMs });
      acknowledged.push(timestampMs);
    }),
  );
  await closed;
  expect(ingestion.state()).toMatchObject({ storage: 'refusing' });
  await until(() => ingestion.state().storeError.includes('not enough space'), 'the reason');
  expect(await ingestion.counted('ingest_storing')).toBe(0);
  expect(acknowledged).toEqual([]);
  await expect(TestEdge.connect(ingestion.port, edge.sn)).rejects.toMatchObject({ code: 3 });
  telemetry.failure = undefined;
  await edge.end();
  await sending;
  await ingestion.drain();
  expect(ingestion.state()).toMatchObject({ storage: 'up', storeError: '', queuedBytes: 0 });
  const again = await TestEdge.connect(ingestion.port, edge.sn);
  await again.birth();
  await again.deviceBirth(device, 'inverter');
  const lastMs = startMs + 300_000;
  await again.data(device, { 'AC/ActivePower': 1 }, { timestampMs: lastMs });
  const found = await stored(device);
  expect(found).toContain(lastMs);
  expect(acknowledged.filter((tsMs) => !found.has(tsMs))).toEqual([]);
  await again.end();
});

test('a store that says nothing at all counts as one that refuses: samples are held, and acknowledged once it has them', async () => {
  const { edge, device } = await born();
  let speak: () => void = () => undefined;
  telemetry.silence = new Promise((resolve) => {
    speak = resolve;
  });
  const timestampMs = Date.now() - 5_000;
  let isAcknowledged = false;
  const sending = edge.data(device, { 'AC/ActivePower': 7 }, { timestampMs }).then(() => {
    isAcknowledged = true;
  });
  await until(() => ingestion.state().storage === 'holding', 'the state');
  expect(ingestion.state()).toMatchObject({ storeError: '' });
  expect(isAcknowledged).toBe(false);
  telemetry.silence = undefined;
  speak();
  await sending;
  expect(ingestion.state()).toMatchObject({ storage: 'up' });
  expect(await stored(device)).toContain(timestampMs);
  await edge.end();
});

test('the live hub is told of a plant once a sample is stored, and not when it is received', async () => {
  const { edge, device, siteKey } = await born();
  const timesTold = () => ingestion.told.filter(({ sites }) => sites.includes(siteKey)).length;
  const before = timesTold();
  let failures = 0;
  telemetry.failure = () => {
    failures += 1;
    return diskFull();
  };
  const sending = edge.data(device, { 'AC/ActivePower': 5 });
  await until(() => failures >= 5, 'five tries to store it');
  expect(timesTold()).toBe(before);
  telemetry.failure = undefined;
  await sending;
  await until(() => timesTold() > before, 'the plant being told');
  await edge.end();
});

test('a batch is tried again however often the store refuses it', async () => {
  const { edge, device } = await born();
  let failures = 0;
  telemetry.failure = () => {
    failures += 1;
    return failures <= 8 ? diskFull() : undefined;
  };
  const timestampMs = Date.now() - 5_000;
  await edge.data(device, { 'AC/ActivePower': 5 }, { timestampMs });
  expect(failures).toBeGreaterThan(8);
  expect(await stored(device)).toContain(timestampMs);
  await edge.end();
}, 60_000);

test('a row that the store cannot read is left out and counted; the others of its batch are stored', async () => {
  const { edge, device } = await born();
  const startMs = Date.now() - 60_000;
  const marker = Buffer.alloc(4);
  // In steps of 0.1 W.
  marker.writeInt32LE(6_665);
  telemetry.failure = (body) =>
    body.includes(marker) ? new Error('Code: 33. DB::Exception: Cannot read all data') : undefined;
  const before = await ingestion.counted('ingest_rejected_total', { reason: 'row-refused' });
  const times = Array.from({ length: 20 }, (_, step) => startMs + step * 1_000);
  await Promise.all(
    times.map((timestampMs, step) =>
      edge.data(device, { 'AC/ActivePower': step === 13 ? 666.5 : step }, { timestampMs }),
    ),
  );
  const found = await stored(device);
  expect(times.filter((tsMs) => !found.has(tsMs))).toEqual([times[13]]);
  expect(await ingestion.counted('ingest_rejected_total', { reason: 'row-refused' })).toBe(before + 1);
  await edge.end();
});

test('devices that are born while PostgreSQL is away wait for it, and their samples with them', async () => {
  const plant = await makePlant(stores.db);
  const edge = await TestEdge.connect(ingestion.port, plant.sn);
  const device = `P${plant.sn}`;
  await ingestion.drain();
  await rename('devices', 'devices_away');
  const timestampMs = Date.now() - 5_000;
  await edge.birth();
  await edge.deviceBirth(device, 'inverter');
  const sending = edge.data(device, { 'AC/ActivePower': 9 }, { timestampMs });
  await until(() => ingestion.state().storage === 'holding', 'the state');
  await rename('devices_away', 'devices');
  await sending;
  expect(await stored(device)).toContain(timestampMs);
  await edge.end();
});
