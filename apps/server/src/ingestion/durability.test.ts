import { createServer } from 'node:net';
import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Stores } from '../stores/stores.ts';
import { TestEdge, until } from '../testing/edge.ts';
import { makePlant, startTestIngestion, startTestStores, type TestIngestion } from '../testing/ingestion.ts';

let stores: Stores;
let ingestion: TestIngestion;

beforeEach(async () => {
  stores = await startTestStores({ ownStores: true });
  ingestion = await startTestIngestion(stores);
});

afterEach(async () => {
  await ingestion?.stop();
  await stores?.stop();
});

async function born() {
  const plant = await makePlant(stores.db);
  const edge = await TestEdge.connect(ingestion.port, plant.sn);
  await edge.birth();
  await edge.deviceBirth('INV-1', 'inverter');
  await ingestion.drain();
  const { key } = await stores.db
    .selectFrom('devices')
    .select('key')
    .where('sn', '=', 'INV-1')
    .executeTakeFirstOrThrow();
  return { plant, edge, key };
}

async function storedTimes(key: number): Promise<Set<number>> {
  const query = `SELECT toUnixTimestamp64Milli(ts) AS ms FROM raw_inverter FINAL WHERE device = ${key}`;
  const answer = await stores.telemetry.client.query({ query, format: 'JSONEachRow' });
  return new Set((await answer.json<{ ms: string }>()).map((row) => Number(row.ms)));
}

test('a sample is stored before it is acknowledged', async () => {
  const { edge, key } = await born();
  const timestampMs = Date.now() - 1_000;
  await edge.data('INV-1', { 'AC/ActivePower': 1 }, { timestampMs, qos: 1 });
  expect(await storedTimes(key)).toContain(timestampMs);
  await edge.end();
});

test('kill -9 of the telemetry engine during ingestion loses nothing that was acknowledged', async () => {
  const { edge, key } = await born();
  const acknowledged: number[] = [];
  const startMs = Date.now() - 60_000;
  for (let round = 0; round < 6; round += 1) {
    const sent = Array.from({ length: 50 }, (_, step) => startMs + round * 5_000 + step * 100);
    const done = Promise.allSettled(
      sent.map((timestampMs) =>
        edge.data('INV-1', { 'AC/ActivePower': round }, { timestampMs }).then(() => acknowledged.push(timestampMs)),
      ),
    );
    if (round % 2 === 1 && stores.telemetry.pid !== undefined) process.kill(stores.telemetry.pid, 'SIGKILL');
    await done;
  }
  await until(() => stores.telemetry.state() === 'up');
  await ingestion.drain();
  expect(acknowledged.length).toBeGreaterThanOrEqual(150);
  const stored = await storedTimes(key);
  expect(acknowledged.filter((tsMs) => !stored.has(tsMs))).toEqual([]);
  await edge.end();
});

test('what was stored but not accounted when the process ended is accounted after the next start', async () => {
  const { plant, edge, key } = await born();
  const startMs = bucketStart(Date.now()) - 2 * 86_400_000;
  for (let step = 0; step < 5; step += 1) {
    const values = { 'Energy/PvTotal': 100 + step * 0.1 };
    await edge.data('INV-1', values, { timestampMs: startMs + step * 300_000, historical: true });
  }
  await edge.end();
  await ingestion.drain();
  for (const table of ['device_5m', 'site_5m', 'site_hour', 'site_day']) {
    await stores.telemetry.client.command({ query: `TRUNCATE TABLE ${table}` });
  }
  await ingestion.stop();
  const mark = JSON.stringify({ receivedMs: Date.now() - 600_000 });
  await stores.db.updateTable('process_state').set({ value: mark }).where('name', '=', 'accounting').execute();
  ingestion = await startTestIngestion(stores);
  await ingestion.drain();
  const query = `SELECT sumIf(pv_wh, NOT isNaN(pv_wh)) AS wh FROM site_day FINAL WHERE site = ${plant.siteKey}`;
  const answer = await stores.telemetry.client.query({ query, format: 'JSONEachRow' });
  const [found] = await answer.json<{ wh: number }>();
  expect(found?.wh).toBeCloseTo(400, 6);
  expect((await storedTimes(key)).size).toBeGreaterThanOrEqual(5);
});

test('a port that is taken gives one clear error with its number', async () => {
  const blocker = createServer();
  await new Promise<void>((done) => blocker.listen(0, '127.0.0.1', done));
  const address = blocker.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(startTestIngestion(stores, { mqttPort: port })).rejects.toThrow(`MQTT port ${port}`);
  await new Promise((done) => blocker.close(done));
});
