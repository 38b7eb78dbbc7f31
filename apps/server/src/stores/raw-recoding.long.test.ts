import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { RowEncoder } from '../ingestion/samples/row-encoder.ts';
import { newSample } from '../ingestion/samples/sample.ts';
import { FLAG_CLOCK, layout } from '../ingestion/sessions/kinds.ts';
import { type RawNumber, toldSql } from './raw-numbers.ts';
import { RawRecoding } from './raw-recoding.ts';
import { startTelemetryEngine, type TelemetryHandle } from './telemetry-engine.ts';
import { ensureRawTables, rawTableOf, rawTables, toldOf } from './telemetry-tables.ts';

const logger = pino({ level: 'silent' });
const folders: string[] = [];
let open: TelemetryHandle | undefined;
afterEach(async () => {
  await open?.stop();
  open = undefined;
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-recoding-'));
  folders.push(folder);
  return folder;
};

const started = async (dataDir: string): Promise<TelemetryHandle> => {
  open = await startTelemetryEngine({ dataDir, logger });
  return open;
};

const stopped = async (): Promise<void> => {
  await open?.stop();
  open = undefined;
};

const kinds = ['inverter', 'meter'] as const;
const DAYS = 2;
const ROWS = 60;
/** An engine that shares its processors takes its time for sixty columns at once. */
const LONG_MS = 180_000;
const dayMs = (day: number) => Date.UTC(2026, 4, 1 + day);

const reading = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -5_000, max: 4_000_000 }).map((whole) => whole / 10) },
  { weight: 2, arbitrary: fc.constant(Number.NaN) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 1 / 3, 2 ** 31, -(2 ** 31), 2 ** 53, 1e15, 0.1) },
  { weight: 1, arbitrary: fc.double({ noDefaultInfinity: true, min: -1e15, max: 1e15 }) },
);

/** Tables as they were before numbers were integers, with rows of each day in two parts. */
async function makeFormer({ client, insertRowBinary }: TelemetryHandle): Promise<void> {
  for (const kind of kinds) {
    const { name, numbers, texts } = rawTableOf(kind);
    const floats = numbers.map(
      ({ former, type }) => `${former} ${type} DEFAULT nan CODEC(Delta(${type === 'Float32' ? 4 : 8}), ZSTD(1))`,
    );
    const columns = [
      ...['device UInt32', "ts DateTime64(3, 'UTC')", "received DateTime64(3, 'UTC')", ...floats],
      ...texts.map((text) => `${text.name} LowCardinality(String)`),
      ...['other Map(LowCardinality(String), String)', 'flags UInt8'],
    ];
    await client.command({
      query: `CREATE TABLE ${name} (${columns.join(', ')})
        ENGINE = ReplacingMergeTree(received) PARTITION BY toYYYYMMDD(ts) ORDER BY (device, ts)`,
    });
    // A point that the catalogue gained later has its column in younger parts alone.
    const last = numbers.at(-1)?.former ?? '';
    await client.command({ query: `ALTER TABLE ${name} DROP COLUMN ${last}` });
    const values = fc.sample(reading, { numRuns: 2 * DAYS * ROWS * numbers.length, seed: 7 });
    let at = 0;
    for (let part = 0; part < 2 * DAYS; part += 1) {
      if (part === 2) await client.command({ query: `ALTER TABLE ${name} ADD COLUMN ${floats.at(-1)} AFTER received` });
      const written = part < 2 ? numbers.slice(0, -1) : numbers;
      const rows: Buffer[] = [];
      for (let row = 0; row < ROWS; row += 1) {
        const head = Buffer.alloc(12);
        head.writeUInt32LE(1 + (row % 3));
        head.writeBigInt64LE(BigInt(dayMs(part >> 1) + (part % 2) * 3_600_000 + row * 1_000), 4);
        rows.push(head);
        for (const { type } of written) {
          const value = Buffer.alloc(type === 'Float32' ? 4 : 8);
          if (type === 'Float32') value.writeFloatLE(values[at] ?? 0);
          else value.writeDoubleLE(values[at] ?? 0);
          rows.push(value);
          at += 1;
        }
      }
      await insertRowBinary(name, ['device', 'ts', ...written.map(({ former }) => former)], Buffer.concat(rows));
    }
  }
}

/** All that is told of all rows, bit by bit. */
async function told({ client }: TelemetryHandle, tell: (number: RawNumber) => string = toldSql): Promise<string> {
  const texts: string[] = [];
  for (const kind of kinds) {
    const { name, numbers } = rawTableOf(kind);
    const { stream } = await client.exec({
      query: `SELECT device, ts, received, ${numbers.map(tell).join(', ')} FROM ${name} FINAL
        WHERE flags = 0 ORDER BY device, ts FORMAT RowBinary`,
    });
    for await (const part of stream as AsyncIterable<Buffer>) texts.push(part.toString('latin1'));
  }
  return texts.join('');
}

async function definitions({ client }: TelemetryHandle): Promise<unknown[]> {
  const tables = kinds.map((kind) => `'${rawTableOf(kind).name}'`).join(', ');
  const answer = await client.query({
    query: `SELECT table, name, type, default_kind, default_expression, compression_codec FROM system.columns
      WHERE database = currentDatabase() AND table IN (${tables}) AND name NOT IN ('ts', 'received') ORDER BY table, name`,
    format: 'JSONEachRow',
  });
  return answer.json();
}

/** How many changes of parts the engine was asked for so far. */
async function steps({ client }: TelemetryHandle): Promise<number> {
  const answer = await client.query({
    query: 'SELECT uniqExact(table, mutation_id) AS n FROM system.mutations',
    format: 'JSONEachRow',
  });
  const [row] = await answer.json<{ n: number }>();
  return Number(row?.n);
}

const hasFormer = async (telemetry: TelemetryHandle): Promise<boolean> =>
  JSON.stringify(await definitions(telemetry)).includes('"ac_active_power"');

const recoding = ({ client }: TelemetryHandle): RawRecoding => new RawRecoding(client, rawTables(), logger, 0);

/** A sample of now, as ingestion writes it beside the work. */
async function writeNow(telemetry: TelemetryHandle, tsMs: number, value: number): Promise<void> {
  const kind = layout('inverter');
  const sample = newSample({ key: 9, layout: kind } as unknown as DeviceEntry, tsMs, tsMs, false);
  sample.flags = FLAG_CLOCK;
  sample.values.fill(value);
  const encoder = new RowEncoder(kind);
  encoder.add(sample);
  await telemetry.insertRowBinary(kind.table, kind.columns, encoder.body());
}

async function written({ client }: TelemetryHandle): Promise<unknown> {
  const answer = await client.query({
    query: `SELECT ${toldOf('inverter', { name: 'AC/ActivePower' })}, ${toldOf('inverter', { name: 'Energy/PvTotal' })}
      FROM raw_inverter FINAL WHERE device = 9 ORDER BY ts`,
    format: 'JSONCompactEachRow',
  });
  return answer.json();
}

test('what was stored as floats tells the same before, while and after it becomes integers, and the tables are as new ones', {
  timeout: LONG_MS,
}, async () => {
  const dataDir = newFolder();
  const telemetry = await started(dataDir);
  await makeFormer(telemetry);
  const before = await told(telemetry, ({ former }) => former);
  await ensureRawTables(telemetry.client);
  expect(await told(telemetry)).toBe(before);
  await writeNow(telemetry, dayMs(1), 12.5);
  const work = recoding(telemetry);
  work.start();
  let isDone = false;
  const done = work.done().then(() => {
    isDone = true;
  });
  while (!isDone) expect(await told(telemetry)).toBe(before);
  await done;
  await writeNow(telemetry, dayMs(1) + 1, 1 / 3);
  expect(await told(telemetry)).toBe(before);
  expect(await written(telemetry)).toEqual([
    [12.5, 12.5],
    [0.33333334, 1 / 3],
  ]);
  const recoded = await definitions(telemetry);
  await stopped();

  const fresh = await started(newFolder());
  await ensureRawTables(fresh.client);
  expect(recoded).toEqual(await definitions(fresh));
});

test('cut at any moment, the next start goes on, and nothing is told otherwise', { timeout: LONG_MS }, async () => {
  const dataDir = newFolder();
  let telemetry = await started(dataDir);
  await makeFormer(telemetry);
  const before = await told(telemetry, ({ former }) => former);
  for (let cut = 0; cut < 5; cut += 1) {
    const ended = new Promise<void>((resolve) => telemetry.onDown(resolve));
    const { pid = 0 } = telemetry;
    const again = new Promise<void>((resolve) => telemetry.onRestart(resolve));
    const work = recoding(telemetry);
    const moved = ensureRawTables(telemetry.client)
      .then(() => work.start())
      .catch(() => undefined);
    // The first time while columns are added, then in the midst of one step of the engine after the other.
    const begun = cut === 0 ? 0 : (await steps(telemetry)) + 1;
    while ((await steps(telemetry)) < begun) await moved;
    process.kill(pid, 'SIGKILL');
    await ended;
    await again;
    await moved;
    await work.stop();
    await stopped();
    telemetry = await started(dataDir);
    await ensureRawTables(telemetry.client);
    expect(await told(telemetry)).toBe(before);
  }
  const work = recoding(telemetry);
  work.start();
  await work.done();
  expect(await told(telemetry)).toBe(before);
  expect(await hasFormer(telemetry)).toBe(false);
});

test('a copy from before, and one from the midst of the work, are recoded where they are started', {
  timeout: LONG_MS,
}, async () => {
  const dataDir = newFolder();
  const telemetry = await started(dataDir);
  await makeFormer(telemetry);
  const before = await told(telemetry, ({ former }) => former);
  await stopped();
  const restored = newFolder();
  cpSync(dataDir, restored, { recursive: true });

  const first = await started(restored);
  await ensureRawTables(first.client);
  const work = recoding(first);
  work.start();
  const midst = newFolder();
  await work.stop();
  await stopped();
  cpSync(restored, midst, { recursive: true });

  for (const folder of [restored, midst]) {
    const store = await started(folder);
    await ensureRawTables(store.client);
    const rest = recoding(store);
    rest.start();
    await rest.done();
    expect(await told(store)).toBe(before);
    expect(await hasFormer(store)).toBe(false);
    await stopped();
  }
});
