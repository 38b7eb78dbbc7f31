import fc from 'fast-check';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { IngestionMetrics } from '../metrics.ts';
import { DataloggerEntry, DeviceEntry } from '../registry/plant-model.ts';
import { freshSamples } from './fresh-samples.ts';
import { newSample, type Sample } from './sample.ts';
import type { StoredRows } from './stored-rows.ts';

/** Rows in memory in place of the store; counts how often it is asked. */
class MemoryRows {
  readonly rows = new Map<number, Sample>();
  questions = 0;

  async learnNewest(devices: Iterable<DeviceEntry>): Promise<void> {
    for (const device of devices) device.newestTsMs = Math.max(Number.NEGATIVE_INFINITY, ...this.rows.keys());
  }

  async find(_kind: unknown, wanted: ReadonlyMap<DeviceEntry, ReadonlyMap<number, Sample>>) {
    this.questions += 1;
    const found = new Map<DeviceEntry, Map<number, Sample>>();
    for (const [device, times] of wanted) {
      const hits = [...times.keys()].flatMap((tsMs) => {
        const row = this.rows.get(tsMs);
        const copy: [number, Sample][] = row === undefined ? [] : [[tsMs, { ...row, values: [...row.values] }]];
        return copy;
      });
      found.set(device, new Map(hits));
    }
    return found;
  }

  async nextAfter(_kind: unknown, afterMs: ReadonlyMap<DeviceEntry, number>) {
    const next = new Map<DeviceEntry, number>();
    for (const [device, tsMs] of afterMs) {
      const later = [...this.rows.keys()].filter((row) => row > tsMs);
      if (later.length > 0) next.set(device, Math.min(...later));
    }
    return next;
  }

  store(samples: readonly Sample[]): void {
    for (const sample of samples) this.rows.set(sample.tsMs, sample);
  }
}

function device(): DeviceEntry {
  const made = new DeviceEntry('D', 'inverter', new DataloggerEntry('', 1, '100000000000001'));
  made.key = 1;
  return made;
}

function sample(of: DeviceEntry, tsMs: number, index = 0, value = tsMs): Sample {
  const made = newSample(of, tsMs, tsMs, true);
  made.values[index] = value;
  return made;
}

const metrics = () => new IngestionMetrics(new Registry());
const take = async (rows: MemoryRows, samples: Sample[]) => {
  const fresh = await freshSamples(samples, rows as unknown as StoredRows, metrics());
  rows.store(fresh);
  return fresh;
};

const HOUR_MS = 3_600_000;

describe('samples that come late', () => {
  test('a backlog in order is stored without a look at the store, whether live data came before or not', async () => {
    for (const liveFirst of [true, false]) {
      const rows = new MemoryRows();
      const inverter = device();
      if (liveFirst) await take(rows, [sample(inverter, 1_000 * HOUR_MS)]);
      for (let step = 1; step < 50; step += 1) {
        await take(rows, [sample(inverter, step * HOUR_MS), sample(inverter, step * HOUR_MS + 1)]);
        if (step === 20) await take(rows, [sample(inverter, 1_000 * HOUR_MS + 60_000)]);
      }
      expect(rows.questions).toBe(0);
    }
  });

  test('a backlog that goes on after a restart looks once', async () => {
    const rows = new MemoryRows();
    const before = device();
    rows.store([HOUR_MS, 2 * HOUR_MS, 900 * HOUR_MS].map((tsMs) => sample(before, tsMs)));
    const inverter = device();
    for (let step = 3; step < 50; step += 1) await take(rows, [sample(inverter, step * HOUR_MS)]);
    expect(rows.questions).toBe(1);
  });

  test('a message out of order hides none of those that came before it in the same batch', async () => {
    const rows = new MemoryRows();
    const inverter = device();
    await take(rows, [sample(inverter, 0)]);
    await take(
      rows,
      [28, 30, 29].map((hour) => sample(inverter, hour * HOUR_MS, 0, hour)),
    );
    await take(rows, [sample(inverter, 28 * HOUR_MS, 1, 7)]);
    expect(rows.rows.get(28 * HOUR_MS)?.values.slice(0, 2)).toEqual([28, 7]);
  });

  test('in any order and with repetitions each time is stored once, with all that was said of it', async () => {
    const said = fc.record({ slot: fc.integer({ min: 0, max: 30 }), index: fc.integer({ min: 0, max: 2 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(said, { minLength: 1, maxLength: 8 }), { maxLength: 12 }), async (batches) => {
        const rows = new MemoryRows();
        const inverter = device();
        const expected = new Map<number, Set<number>>();
        for (const batch of batches) {
          await take(
            rows,
            batch.map(({ slot, index }) => sample(inverter, slot * HOUR_MS, index, slot + index / 4)),
          );
          for (const { slot, index } of batch) {
            const known = expected.get(slot * HOUR_MS) ?? new Set();
            expected.set(slot * HOUR_MS, known.add(index));
          }
        }
        expect([...rows.rows.keys()].sort((a, b) => a - b)).toEqual([...expected.keys()].sort((a, b) => a - b));
        for (const [tsMs, indexes] of expected) {
          for (const index of indexes) {
            expect(rows.rows.get(tsMs)?.values[index]).toBe(tsMs / HOUR_MS + index / 4);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
