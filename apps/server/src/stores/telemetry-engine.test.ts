import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive } from '../supervision/processes.ts';
import {
  connectTelemetry,
  isTelemetryUnavailable,
  startTelemetryEngine,
  type TelemetryHandle,
  TelemetryUnavailableError,
} from './telemetry-engine.ts';
import { ensureRawTables, rawTable } from './telemetry-tables.ts';

const logger = pino({ level: 'silent' });
let dataDir = '';
let telemetry: TelemetryHandle;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-telemetry-'));
  telemetry = await startTelemetryEngine({ dataDir, logger });
  await telemetry.client.command({
    query: 'CREATE TABLE numbers_kept (a UInt32, b Float32) ENGINE = MergeTree ORDER BY a',
  });
});

afterAll(async () => {
  await telemetry.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function rowsOf<T>(query: string, parameters: Record<string, unknown> = {}): Promise<T[]> {
  const answer = await telemetry.client.query({ query, query_params: parameters, format: 'JSONEachRow' });
  return answer.json<T>();
}

function pairs(values: readonly (readonly [number, number])[]): Buffer {
  const body = Buffer.alloc(values.length * 8);
  values.forEach(([a, b], index) => {
    body.writeUInt32LE(a, index * 8);
    body.writeFloatLE(b, index * 8 + 4);
  });
  return body;
}

test('rows written as RowBinary and as JSON are read back', async () => {
  await telemetry.insertRowBinary(
    'numbers_kept',
    ['a', 'b'],
    pairs([
      [1, 0.5],
      [2, Number.NaN],
    ]),
  );
  await telemetry.client.insert({ table: 'numbers_kept', values: [{ a: 3, b: 1.25 }], format: 'JSONEachRow' });
  expect(await rowsOf('SELECT a, toString(b) AS b FROM numbers_kept WHERE a <= 3 ORDER BY a')).toEqual([
    { a: 1, b: '0.5' },
    { a: 2, b: 'nan' },
    { a: 3, b: '1.25' },
  ]);
  expect(readdirSync(join(dataDir, 'telemetry', 'inbox'))).toEqual([]);
});

test.each(["o'clock", '\\', "\\'; DROP TABLE numbers_kept; --", 'tab\tline\nend', '日本 {a:String}', ''])(
  'a parameter (%j) arrives as it is',
  async (text) => {
    expect(await rowsOf('SELECT {text:String} AS text', { text })).toEqual([{ text }]);
  },
);

test('parameters of queries that run side by side do not mix', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `name ${index}`);
  const found = await Promise.all(
    names.map((name) => rowsOf<{ name: string }>('SELECT {name:String} AS name', { name })),
  );
  expect(found.flat().map(({ name }) => name)).toEqual(names);
});

test('a parameter left out is refused, also where an earlier query had one of that name', async () => {
  await Promise.all(Array.from({ length: 12 }, () => rowsOf('SELECT {leaked:String} AS x', { leaked: 'secret' })));
  await expect(rowsOf('SELECT {leaked:String} AS x')).rejects.toMatchObject({ code: '456' });
});

test('settings hold for their own query only', async () => {
  const query = "SELECT getSetting('max_block_size') AS size";
  const withSetting = await telemetry.client.query({
    query,
    format: 'JSONEachRow',
    clickhouse_settings: { max_block_size: '77' },
  });
  expect(await withSetting.json()).toEqual([{ size: 77 }]);
  const others = await Promise.all(Array.from({ length: 12 }, () => rowsOf<{ size: number }>(query)));
  expect(others.flat().filter(({ size }) => size === 77)).toEqual([]);
});

describe('a refused query', () => {
  test.each([
    ['an unknown table', 'SELECT * FROM nowhere', '60'],
    ['wrong SQL', 'SELEC 1', '62'],
    ['a wrong value', "SELECT toUInt8('x')", '6'],
  ])('(%s) rejects with the number that ClickHouse gives, and is not to be tried again', async (_name, query, code) => {
    const error: unknown = await telemetry.client.query({ query }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code });
    expect(isTelemetryUnavailable(error)).toBe(false);
  });

  test('(rows that do not fit) stores none of them', async () => {
    await expect(telemetry.insertRowBinary('numbers_kept', ['a', 'b'], Buffer.alloc(13))).rejects.toThrow();
    expect(await rowsOf('SELECT count() AS n FROM numbers_kept WHERE a = 0')).toEqual([{ n: 0 }]);
  });
});

test('reads are answered while a long query runs', async () => {
  let longDone = false;
  const long = rowsOf('SELECT sleepEachRow(0.1) FROM numbers(20) SETTINGS max_block_size = 1').then(() => {
    longDone = true;
  });
  await rowsOf('SELECT 1');
  await telemetry.insertRowBinary('numbers_kept', ['a', 'b'], pairs([[50, 1]]));
  expect(longDone).toBe(false);
  await long;
});

test('its memory is capped', async () => {
  const query = 'SELECT length(groupArray(number)) FROM numbers(2000000000)';
  await expect(rowsOf(query)).rejects.toMatchObject({ code: '241' });
});

test('the raw tables of all kinds are made, and gain the columns that are missing', async () => {
  const columnsOf = (table: string) =>
    telemetry.client
      .query({
        query: `SELECT name, type, default_kind, default_expression, compression_codec FROM system.columns
          WHERE table = '${table}' ORDER BY name`,
        format: 'JSONEachRow',
      })
      .then((answer) => answer.json());
  await ensureRawTables(telemetry.client);
  const kinds = ['inverter', 'logger', 'station'] as const;
  const made = await Promise.all(kinds.map((kind) => columnsOf(rawTable(kind))));
  for (const column of ['ac_active_power_n', 'energy_pv_total_n', 'beside']) {
    await telemetry.client.command({ query: `ALTER TABLE raw_inverter DROP COLUMN ${column}` });
  }
  await ensureRawTables(telemetry.client);
  expect(await Promise.all(kinds.map((kind) => columnsOf(rawTable(kind))))).toEqual(made);
});

test('a killed engine is started again, failed calls are marked as worth another try, and every acknowledged row is found', async () => {
  const acknowledged: number[] = [];
  const refused: unknown[] = [];
  let running = true;
  const writer = (async () => {
    for (let value = 1_000; running; value += 1) {
      try {
        await telemetry.insertRowBinary('numbers_kept', ['a', 'b'], pairs([[value, 1]]));
        acknowledged.push(value);
      } catch (error) {
        refused.push(error);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  })();
  for (let kill = 0; kill < 3; kill += 1) {
    const target = acknowledged.length + 5;
    while (acknowledged.length < target) await new Promise((resolve) => setTimeout(resolve, 5));
    const again = new Promise<void>((resolve) => telemetry.onRestart(resolve));
    process.kill(telemetry.pid ?? 0, 'SIGKILL');
    await again;
  }
  const last = acknowledged.length + 5;
  while (acknowledged.length < last) await new Promise((resolve) => setTimeout(resolve, 5));
  running = false;
  await writer;
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.filter((error) => !(error instanceof TelemetryUnavailableError))).toEqual([]);
  const stored = await rowsOf<{ a: number }>('SELECT DISTINCT a FROM numbers_kept WHERE a >= 1000');
  const found = new Set(stored.map(({ a }) => a));
  expect(acknowledged.filter((value) => !found.has(value))).toEqual([]);
});

test('the engine ends with its parent, and the next start finds the rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-telemetry-'));
  const href = new URL('./telemetry-engine.ts', import.meta.url).href;
  const parent = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { startTelemetryEngine } = await import(${JSON.stringify(href)});
       const logger = { child: () => logger, error() {}, warn() {}, info() {}, debug() {} };
       const handle = await startTelemetryEngine({ dataDir: ${JSON.stringify(folder)}, logger });
       await handle.client.command({ query: 'CREATE TABLE kept ENGINE = MergeTree ORDER BY v AS SELECT 7 AS v' });
       handle.client.query({ query: 'SELECT sleepEachRow(1) FROM numbers(30)' }).catch(() => {});
       console.log(handle.pid);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await once(parent.stdout, 'data');
  const orphan = Number(String(line));
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const next = await startTelemetryEngine({ dataDir: folder, logger });
  try {
    expect(isAlive(orphan)).toBe(false);
    const answer = await next.client.query({ query: 'SELECT v FROM kept', format: 'JSONEachRow' });
    expect(await answer.json()).toEqual([{ v: 7 }]);
  } finally {
    await next.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('an engine that is watched', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-telemetry-'));
  let watched: TelemetryHandle;
  beforeAll(async () => {
    watched = await startTelemetryEngine({ dataDir: folder, logger, watch: { everyMs: 500, deadAfterMs: 3_000 } });
  });
  afterAll(async () => {
    await watched.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is left alone while more queries than it has readers take longer than it may be silent', async () => {
    const { pid } = watched;
    const query = 'SELECT sum(sleepEachRow(1)) FROM numbers(6) SETTINGS max_block_size = 1';
    const long = Array.from({ length: 8 }, () => watched.client.query({ query, format: 'JSONEachRow' }));
    await Promise.all(long.slice(0, 6));
    expect(watched.pid).toBe(pid);
    await Promise.all(long);
    expect(watched.pid).toBe(pid);
  });

  test('is started again where it is frozen, and what waited for it may be tried again', async () => {
    const pid = watched.pid ?? 0;
    await watched.client.command({ query: 'CREATE TABLE kept ENGINE = MergeTree ORDER BY v AS SELECT 7 AS v' });
    const again = new Promise<void>((resolve) => watched.onRestart(resolve));
    process.kill(pid, 'SIGSTOP');
    const waiting = watched.client.query({ query: 'SELECT 1' }).catch((error: unknown) => error);
    await again;
    expect(isTelemetryUnavailable(await waiting)).toBe(true);
    expect(isAlive(pid)).toBe(false);
    const answer = await watched.client.query({ query: 'SELECT v FROM kept', format: 'JSONEachRow' });
    expect(await answer.json()).toEqual([{ v: 7 }]);
  });
});

test('a ClickHouse that cannot be reached is said to be so', async () => {
  await expect(connectTelemetry('http://127.0.0.1:18089')).rejects.toThrow(
    /^CLICKHOUSE_URL does not answer: nobody listens at 127\.0\.0\.1:18089\. Start ClickHouse there/,
  );
});
