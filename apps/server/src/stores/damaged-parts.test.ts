import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { type Logger, pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeMark } from '../accounting/high-water.ts';
import { readConfig } from '../config.ts';
import { TestEdge } from '../testing/edge.ts';
import { makePlant, startTestIngestion, type TestPlant } from '../testing/ingestion.ts';
import { startTestPortal } from '../testing/portal.ts';
import { type Stores, startStores } from './stores.ts';

const silent = pino({ level: 'silent' });
const tables = ['device_5m', 'site_5m', 'site_hour', 'site_day'] as const;
const startMs = bucketStart(Date.now()) - 30 * 3_600_000;
const READINGS = 160;

let dataDir = '';
let stores: Stores | undefined;

const open = async (logger: Logger = silent): Promise<Stores> => {
  stores = await startStores(readConfig({ DATA_DIR: dataDir, DEMO: 'off' }), logger);
  return stores;
};

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-damage-'));
});

afterAll(async () => {
  await stores?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function rows<T>({ telemetry }: Stores, query: string): Promise<T[]> {
  return (await telemetry.client.query({ query, format: 'JSONEachRow' })).json<T>();
}

/** More than a day of readings of an inverter in each of two plants. */
async function record(running: Stores): Promise<TestPlant[]> {
  const ingestion = await startTestIngestion(running);
  const plants = [await makePlant(running.db), await makePlant(running.db, { zone: 'Asia/Kolkata' })];
  for (const [index, { sn }] of plants.entries()) {
    const edge = await TestEdge.connect(ingestion.port, sn);
    await edge.birth();
    await edge.deviceBirth(`DAM-${index}`, 'inverter');
    const sent: Promise<void>[] = [];
    for (let step = 0; step < READINGS; step += 1) {
      const values = { 'Energy/PvTotal': 100 + step / 10, 'DC/Power': 600, 'AC/ActivePower': 600 };
      sent.push(edge.data(`DAM-${index}`, values, { timestampMs: startMs + step * 600_000, historical: true }));
    }
    await Promise.all(sent);
    await edge.end();
  }
  await ingestion.drain();
  await ingestion.stop();
  // As if the samples had been accounted long ago: those just received are accounted anew at every start.
  await writeMark(running.db, Date.now() + 60_000);
  return plants;
}

/** All that the rollups hold, without the versions by which one row replaces another. */
async function rollups(running: Stores): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const table of tables) {
    const key = table === 'device_5m' ? 'device' : 'site';
    const time = table === 'site_day' ? 'day' : 'ts';
    const energies =
      table === 'device_5m' ? 'pv_wh, ac_out_wh, pv_w, samples' : 'pv_wh, load_wh, export_wh, pv_to_grid_wh';
    found[table] = await rows(
      running,
      `SELECT ${key}, ${time}, quality, ${energies} FROM ${table} FINAL ORDER BY 1, 2`,
    );
  }
  return found;
}

/** Leaves one part of each partition of a table, and answers their folders. */
async function wholeParts(running: Stores, table: string): Promise<string[]> {
  await running.telemetry.client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
  const parts = await rows<{ path: string }>(
    running,
    `SELECT path FROM system.parts WHERE active AND table = '${table}' AND database = currentDatabase()`,
  );
  return parts.map(({ path }) => path);
}

/** As a loss of power does: damages parts while nobody has them open, takes away older ones from which the engine would repair them, and the machine starts anew. */
function damage(folders: readonly string[], how: 'cut' | 'flip'): void {
  writeFileSync(join(dataDir, 'telemetry', 'read-since-boot'), 'before');
  for (const folder of folders) {
    const own = folder.replace(/\/$/, '');
    for (const name of readdirSync(dirname(own))) {
      const other = join(dirname(own), name);
      if (/^\d+_\d+_\d+_\d+/.test(name) && !folders.some((kept) => kept.startsWith(`${other}/`))) {
        rmSync(other, { recursive: true });
      }
    }
    const file = join(own, 'data.bin');
    const bytes = readFileSync(file);
    if (how === 'cut') truncateSync(file, Math.floor(bytes.length / 2));
    else {
      const at = Math.floor(bytes.length / 2);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      writeFileSync(file, bytes);
    }
  }
}

test('damaged rollups are found at the start, counted, and made anew from the samples as they were', async () => {
  let running = await open();
  await record(running);
  const before = await rollups(running);
  expect(before.site_day?.length).toBeGreaterThanOrEqual(4);
  const ways = { device_5m: 'flip', site_5m: 'cut', site_hour: 'flip', site_day: 'cut' } as const;
  const folders = new Map<string, string[]>();
  for (const table of tables) folders.set(table, await wholeParts(running, table));
  await running.stop();
  for (const table of tables) damage(folders.get(table) ?? [], ways[table]);

  running = await open();
  const damaged = [...folders.values()].flat().length;
  expect(running.damage.state.parts).toBe(damaged);
  expect([...running.damage.state.byTable.keys()].sort()).toEqual([...tables].sort());
  expect(running.damage.state.lost).toEqual([]);
  expect(Object.values(await rollups(running)).flat()).toEqual([]);
  const ingestion = await startTestIngestion(running);
  await ingestion.drain();
  await ingestion.stop();
  expect(await rollups(running)).toEqual(before);

  await running.stop();
  running = await open();
  expect(running.damage.state.parts).toBe(damaged);
  expect(await running.db.selectFrom('recalculations').selectAll().execute()).toEqual([]);
  expect(await rollups(running)).toEqual(before);
});

test('a part that goes bad while the server runs is found by the query that fails, or by the week of checks', async () => {
  const running = stores ?? (await open());
  const before = await rollups(running);
  const readsAgain = async () => {
    const ingestion = await startTestIngestion(running);
    await ingestion.drain();
    await ingestion.stop();
    return rollups(running);
  };
  damage(await wholeParts(running, 'site_5m'), 'flip');
  const error: unknown = await rows(running, 'SELECT * FROM site_5m').catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(Error);
  expect(await running.damage.isCauseOf(new Error('something else'))).toBe(false);
  expect(await running.damage.isCauseOf(error)).toBe(true);
  expect(await readsAgain()).toEqual(before);

  damage(await wholeParts(running, 'site_day'), 'flip');
  await expect(rows(running, 'SELECT * FROM site_day')).rejects.toThrow();
  for (let day = 0; day < 7; day += 1) await running.damage.checkShare(day, 7);
  expect(await readsAgain()).toEqual(before);
});

test('damaged samples are told as lost with their table and time, and what was made of them stays', async () => {
  let running = stores ?? (await open());
  const before = await rollups(running);
  const raw = await wholeParts(running, 'raw_inverter');
  const device5m = await wholeParts(running, 'device_5m');
  await running.stop();
  damage(raw, 'flip');
  const lines: string[] = [];
  running = await open(pino({ level: 'error' }, { write: (line) => void lines.push(line) }));
  const day = new Date(startMs).toISOString().slice(0, 10);
  expect(running.damage.state.lost.join('\n')).toContain(`raw_inverter ${day}`);
  expect(lines.join('\n')).toMatch(/samples are damaged and lost/);
  let ingestion = await startTestIngestion(running);
  await ingestion.drain();
  await ingestion.stop();
  expect(await rollups(running)).toEqual(before);

  // Where the rollups go too, there is nothing left to know it from: nothing is said, and never 0.
  await running.stop();
  damage(device5m, 'cut');
  running = await open();
  ingestion = await startTestIngestion(running);
  await ingestion.drain();
  await ingestion.stop();
  expect(await rows(running, 'SELECT count() AS count FROM device_5m')).toEqual([{ count: 0 }]);
  const zero = await rows<{ wh: number | null }>(running, 'SELECT pv_wh AS wh FROM site_day FINAL WHERE pv_wh = 0');
  expect(zero).toEqual([]);
});

test('where the machine runs on nobody waits for the reading: what is bad is found by the query that fails', async () => {
  let running = stores ?? (await open());
  const before = await rollups(running);
  const folders = await wholeParts(running, 'site_hour');
  const known = running.damage.state.parts;
  await running.stop();
  running = await open();
  await running.stop();
  damage(folders, 'flip');
  writeFileSync(
    join(dataDir, 'telemetry', 'read-since-boot'),
    readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
  );
  running = await open();
  expect(running.damage.state.parts).toBe(known);
  const error: unknown = await rows(running, 'SELECT * FROM site_hour').catch((failure: unknown) => failure);
  expect(await running.damage.isCauseOf(error)).toBe(true);
  expect(running.damage.state.parts).toBe(known + folders.length);
  const ingestion = await startTestIngestion(running);
  await ingestion.drain();
  await ingestion.stop();
  expect(await rollups(running)).toEqual(before);
});

test('what lies aside is told by /readyz and counted by /metrics', async () => {
  const portal = await startTestPortal();
  try {
    const [table] = await rows<{ path: string }>(
      portal.server.stores,
      `SELECT arrayJoin(data_paths) AS path FROM system.tables WHERE database = currentDatabase() AND name = 'raw_meter'`,
    );
    mkdirSync(join(table?.path ?? '', 'detached', 'broken-on-start_20260301_1_1_0'), { recursive: true });
    await portal.server.stores.damage.look();
    const ready = await fetch(`${portal.url}/readyz`);
    const { dependencies } = (await ready.json()) as { dependencies: { telemetry: unknown } };
    expect(ready.status).toBe(200);
    expect(dependencies.telemetry).toEqual({
      state: 'up',
      detail: { damagedParts: 1, lostSamples: 'raw_meter 2026-03-01 UTC' },
    });
    const metrics = await (await fetch(`${portal.url}/metrics`)).text();
    expect(metrics).toContain('telemetry_damaged_parts{table="raw_meter"} 1');
  } finally {
    await portal.stop();
  }
});
