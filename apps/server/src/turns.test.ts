import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { inSlices, inSteps } from './in-slices.ts';
import { writeSites } from './ingestion/latest/latest.store.ts';
import { IngestionMetrics } from './ingestion/metrics.ts';
import { DataloggerEntry, DeviceEntry, SiteEntry } from './ingestion/registry/plant-model.ts';
import { freshSamples } from './ingestion/samples/fresh-samples.ts';
import { newSample } from './ingestion/samples/sample.ts';
import type { StoredRows } from './ingestion/samples/stored-rows.ts';
import type { Database } from './stores/schema.ts';
import { TurnQueue } from './turns.ts';

afterEach(() => void vi.restoreAllMocks());

/** Counts the turns that others have until told to stop. */
function others(): { readonly turns: () => number; end(): void } {
  let turns = 0;
  let next: NodeJS.Immediate;
  const again = () => {
    turns += 1;
    next = setImmediate(again);
  };
  next = setImmediate(again);
  return { turns: () => turns, end: () => clearImmediate(next) };
}

test('of a long list each is worked in its order, and others have their turns in between', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const other = others();
  const done: number[] = [];
  const list = Array.from({ length: 1_000 }, (_, place) => place);
  await inSlices(list, (each) => {
    done.push(each);
    nowMs += 1;
  });
  expect(done).toEqual(list);
  expect(other.turns()).toBeGreaterThanOrEqual(10);
  other.end();
});

test('work in steps is done to its end, and others have their turns in between', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const other = others();
  function* counted(): Generator<void, number> {
    for (let step = 0; step < 100; step += 1) {
      nowMs += 5;
      yield;
    }
    return 100;
  }
  expect(await inSteps(counted())).toBe(100);
  expect(other.turns()).toBeGreaterThanOrEqual(40);
  other.end();
});

describe('of a plant of thousands of devices', () => {
  const site = new SiteEntry('site', 1, 'Europe/Berlin');
  const datalogger = new DataloggerEntry('logger', 1, '100000000000001');
  const devices = Array.from({ length: 5_000 }, (_, at) => {
    const device = new DeviceEntry(`inverter ${at}`, 'inverter', datalogger);
    device.key = 1 + at;
    device.latestValues = device.layout.emptyValues.slice();
    device.newestTsMs = 0;
    site.devices.add(device);
    return device;
  });

  /** A clock on which it is late whenever somebody looks. */
  const alwaysLate = () => {
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      nowMs += 1_000;
      return nowMs;
    });
  };

  test('the newest powers are summed in turns with everything else', async () => {
    const nowhere = new Kysely<Database>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
    alwaysLate();
    const other = others();
    await writeSites(nowhere, [site]);
    expect(other.turns()).toBeGreaterThanOrEqual(20);
    other.end();
  });

  test('what is new of a batch is found in turns with everything else', async () => {
    alwaysLate();
    const other = others();
    const samples = devices.map((device) => newSample(device, Date.UTC(2026, 5, 1), Date.UTC(2026, 5, 1), false));
    const fresh = await freshSamples(samples, {} as StoredRows, new IngestionMetrics(new Registry()));
    expect(fresh).toHaveLength(devices.length);
    expect(other.turns()).toBeGreaterThanOrEqual(20);
    other.end();
  });
});

test('what takes no time is not interrupted', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const other = others();
  await inSlices(Array.from({ length: 1_000 }), () => undefined);
  expect(other.turns()).toBe(0);
  other.end();
});

test('of works that come at once only so many are done in a turn; each is done, in its order, also one that comes meanwhile', async () => {
  const queue = new TurnQueue(50);
  const other = others();
  const done: { work: number; turn: number }[] = [];
  await new Promise<void>((resolve) => {
    const work = (n: number) => () => void done.push({ work: n, turn: other.turns() });
    for (let n = 0; n < 500; n += 1) queue.add(work(n));
    queue.add(() => queue.add(resolve));
  });
  other.end();
  expect(done.map((each) => each.work)).toEqual(Array.from({ length: 500 }, (_, n) => n));
  const inATurn = [...Map.groupBy(done, ({ turn }) => turn).values()].map((each) => each.length);
  expect(Math.max(...inATurn)).toBe(50);
});
