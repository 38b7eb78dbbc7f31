import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_MS } from './bucket-span.ts';
import type { DeviceBucket, DeviceSample, LedgerOptions } from './buckets.ts';
import { DeviceLedger, RETAIN_MS } from './buckets.ts';
import { ChannelReach } from './channel-reach.ts';
import { ENERGY_CHANNELS, POWER_CHANNELS } from './channels.ts';

const START_MS = Date.UTC(2026, 5, 1, 10);
/** A ledger learns: each has a reach of its own. */
const options = (): LedgerOptions => ({ reach: new ChannelReach({ ratedW: 20_000 }), resolutionWh: 10 });

const optional = (value: fc.Arbitrary<number>) => fc.option(value, { nil: undefined });

const sampleSeries = fc
  .array(
    fc.record({
      afterMs: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 1, max: 400_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: -100_000, max: 20_000_000 }) },
      ),
      powers: fc.record(
        Object.fromEntries(
          POWER_CHANNELS.map((channel) => [channel, optional(fc.integer({ min: -20_000, max: 20_000 }))]),
        ),
      ),
      gains: fc.record(
        Object.fromEntries(ENERGY_CHANNELS.map((channel) => [channel, optional(fc.integer({ min: -500, max: 2000 }))])),
      ),
      socPercent: optional(fc.integer({ min: 0, max: 100 })),
    }),
    { maxLength: 40 },
  )
  .map((parts): DeviceSample[] => {
    let tsMs = START_MS;
    const totals: Record<string, number> = {};
    return parts.map(({ afterMs, powers, gains, socPercent }) => {
      tsMs += afterMs;
      const counters: Record<string, number | undefined> = {};
      for (const [channel, gain] of Object.entries(gains)) {
        if (gain === undefined) continue;
        totals[channel] = Math.max(0, (totals[channel] ?? 100_000) + gain);
        counters[channel] = totals[channel];
      }
      return { tsMs, powers, counters, socPercent };
    });
  });

function accountSeries(samples: Iterable<DeviceSample>, given: LedgerOptions = {}): DeviceBucket[] {
  const ledger = new DeviceLedger(given);
  for (const sample of samples) ledger.add(sample);
  return ledger.takeChanged();
}

function latest(batches: DeviceBucket[][]): DeviceBucket[] {
  const byStart = new Map(batches.flat().map((bucket) => [bucket.bucketMs, bucket]));
  return [...byStart.values()].sort((a, b) => a.bucketMs - b.bucketMs);
}

const totalWh = (buckets: DeviceBucket[], channel: 'pv' | 'import' | 'export') =>
  buckets.reduce((sum, { energyWh }) => sum + (energyWh[channel] ?? 0), 0);

describe('DeviceLedger', () => {
  test('taking changes at any moments yields in the end the same as accounting the series at once', () => {
    fc.assert(
      fc.property(sampleSeries, fc.func(fc.boolean()), (samples, takesNow) => {
        const ledger = new DeviceLedger(options());
        const batches: DeviceBucket[][] = [];
        for (const sample of samples) {
          ledger.add(sample);
          if (takesNow(sample.tsMs)) batches.push(ledger.takeChanged());
        }
        batches.push(ledger.takeChanged());
        expect(latest(batches)).toEqual(accountSeries(samples, options()));
      }),
      { numRuns: 60 },
    );
  });

  test('no energy is lost or invented: buckets add up to the growth of the counter, gaps included', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1000, max: 5_000_000 }), fc.double({ min: 0, max: 1, noNaN: true })), {
          maxLength: 60,
        }),
        (increments) => {
          let tsMs = START_MS;
          let wh = 70_000;
          const samples: DeviceSample[] = [{ tsMs, powers: {}, counters: { pv: wh } }];
          for (const [afterMs, load] of increments) {
            tsMs += afterMs;
            wh += (load * 20_000 * afterMs) / 3_600_000;
            samples.push({ tsMs, powers: { pv: 100 }, counters: { pv: wh } });
          }
          expect(totalWh(accountSeries(samples, options()), 'pv')).toBeCloseTo(wh - 70_000, 4);
        },
      ),
    );
  });

  test('a device without a counter has its power integrated, split by sign and marked estimated', () => {
    const samples = [1000, 1000, -500, -500].map(
      (gridW, index): DeviceSample => ({ tsMs: START_MS + index * 60_000, powers: { grid: gridW }, counters: {} }),
    );
    const buckets = accountSeries(samples);
    const crossing = (1500 / 1500) * (1000 / 1500);
    expect(totalWh(buckets, 'import')).toBeCloseTo((1000 + (1000 * crossing) / 2) / 60, 6);
    expect(totalWh(buckets, 'export')).toBeCloseTo((500 + (500 * (1 - crossing)) / 2) / 60, 6);
    expect(buckets[0]).toMatchObject({ quality: 'estimated', energyQuality: { import: 'estimated' } });
  });

  test('from its first reading on a counter is believed and the power no longer integrated', () => {
    const samples: DeviceSample[] = [
      { tsMs: START_MS, powers: { pv: 6000 }, counters: { pv: 1000 } },
      { tsMs: START_MS + 60_000, powers: { pv: 6000 }, counters: { pv: 1090 } },
    ];
    expect(accountSeries(samples, options())).toMatchObject([
      { energyWh: { pv: 90 }, powerW: { pv: 6000 }, quality: 'measured' },
    ]);
  });

  test('a channel that nobody reports is absent, not 0', () => {
    const [bucket] = accountSeries([{ tsMs: START_MS, powers: { ac: 5 }, counters: {} }]);
    expect(bucket).toEqual({
      bucketMs: START_MS,
      energyWh: {},
      powerW: { ac: 5 },
      maxPowerW: { ac: 5 },
      samples: 1,
      quality: 'measured',
    });
  });

  test('mean power is weighted by time', () => {
    const samples: DeviceSample[] = [
      [0, 0],
      [200, 0],
      [201, 1000],
      [240, 1000],
    ].map(([second = 0, load]) => ({ tsMs: START_MS + second * 1000, powers: { load }, counters: {} }));
    expect(accountSeries(samples)[0]?.powerW.load).toBeCloseTo((500 + 39_000) / 240, 6);
  });

  test('samples that are not later are refused and change nothing', () => {
    const ledger = new DeviceLedger(options());
    expect(ledger.add({ tsMs: START_MS, powers: {}, counters: { pv: 1000 } })).toBe(true);
    const before = ledger.takeChanged();
    expect(ledger.add({ tsMs: START_MS, powers: { pv: 50 }, counters: { pv: 2000 } })).toBe(false);
    expect(ledger.add({ tsMs: Number.NaN, powers: { pv: 50 }, counters: { pv: 2000 } })).toBe(false);
    expect(ledger.takeChanged()).toEqual([]);
    ledger.add({ tsMs: START_MS + 60_000, powers: {}, counters: { pv: 1010 } });
    expect(totalWh([...before, ...ledger.takeChanged()], 'pv')).toBe(10);
  });

  test('hostile values are ignored', () => {
    const ledger = new DeviceLedger(options());
    const hostile = [Number.NaN, Number.POSITIVE_INFINITY, -1e300];
    hostile.forEach((value, index) => {
      ledger.add({ tsMs: START_MS + index * 1000, powers: { pv: value }, counters: { pv: value }, socPercent: value });
    });
    for (const bucket of ledger.takeChanged()) {
      expect(JSON.stringify(bucket)).not.toContain('null');
      expect(bucket.energyWh.pv ?? 0).toBeGreaterThanOrEqual(0);
    }
  });

  test('a reset is told once, with its channel and epoch', () => {
    const ledger = new DeviceLedger(options());
    [900_000, 900_050, 20, 60].forEach((wh, index) => {
      ledger.add({ tsMs: START_MS + index * 60_000, powers: {}, counters: { import: wh } });
    });
    expect(ledger.takeEvents().map(({ channel, event, epoch }) => [channel, event, epoch])).toEqual([
      ['import', 'implausible', 0],
      ['import', 'reset', 1],
    ]);
    expect(ledger.takeEvents()).toEqual([]);
  });

  test('memory stays bounded over a long series', () => {
    const ledger = new DeviceLedger(options());
    for (let index = 0; index < 2000; index += 1) {
      ledger.add({ tsMs: START_MS + index * 60_000, powers: { pv: 100 }, counters: { pv: index } });
      ledger.takeChanged();
    }
    expect((ledger.lastTsMs ?? 0) - (ledger.keptFromMs ?? 0)).toBeLessThan(RETAIN_MS + BUCKET_MS);
    expect(ledger.takeChanged()).toEqual([]);
  });
});

describe('a joint after a silence', () => {
  const minute = (at: number) => START_MS + at * 60_000;
  const ledgerOf = (readings: readonly (readonly [atMinute: number, wh: number])[]) =>
    accountSeries(
      readings.map(([at, wh]) => ({ tsMs: minute(at), powers: { pv: 1_200 }, counters: { pv: wh } })),
      { reach: new ChannelReach({ ratedW: 20_000 }), keepsAll: true },
    );
  const whAt = (buckets: readonly DeviceBucket[], at: number) =>
    buckets.find(({ bucketMs }) => bucketMs === minute(at))?.energyWh.pv;

  test('spreads what the new series counted evenly over all of the silence, to the second', () => {
    const buckets = ledgerOf([
      [2, 900_000],
      [7, 900_100],
      [107, 1_000],
      [112, 1_100],
      [117, 1_200],
    ]);
    expect(whAt(buckets, 5)).toBeCloseTo((2 / 5) * 100 + (3 / 100) * 1_000, 6);
    for (let at = 10; at < 105; at += 5) expect(whAt(buckets, at)).toBeCloseTo(50, 6);
    expect(whAt(buckets, 105)).toBeCloseTo((2 / 100) * 1_000 + (3 / 5) * 100, 6);
    expect(totalWh(buckets, 'pv')).toBeCloseTo(1_300, 6);
  });

  test('leaves to each bucket what the power gave there, and the rest to the time in which nothing was told', () => {
    const buckets = ledgerOf([
      [2, 900_000],
      [7, 900_100],
      [107, 0],
      [112, 902_100],
      [117, 902_200],
    ]);
    expect(whAt(buckets, 5)).toBeCloseTo((2 / 5) * 100 + (3 / 100) * 1_900, 6);
    for (let at = 10; at < 105; at += 5) expect(whAt(buckets, at)).toBeCloseTo(95, 6);
    expect(whAt(buckets, 105)).toBeCloseTo((2 / 100) * 1_900 + (3 / 5) * 100, 6);
    expect(totalWh(buckets, 'pv')).toBeCloseTo(2_200, 6);
  });
});

describe('growth after a standstill', () => {
  type Told = readonly [atMinute: number, powerW: number | undefined, wh: number];
  const minute = (at: number) => START_MS + at * 60_000;
  const ledgerOf = (told: readonly Told[]) =>
    accountSeries(
      told.map(([at, powerW, wh]) => ({ tsMs: minute(at), powers: { pv: powerW }, counters: { pv: wh } })),
      { reach: new ChannelReach({ ratedW: 20_000 }), resolutionWh: 100, keepsAll: true },
    );
  const energies = (buckets: readonly DeviceBucket[]) => buckets.map(({ energyWh }) => energyWh.pv);

  test('belongs to where the power was, before a rest or after it', () => {
    const begun = ledgerOf([
      ...Array.from({ length: 13 }, (_, at): Told => [at, 0, 900_000]),
      ...[13, 14, 15].map((at): Told => [at, 3_000, 900_000]),
      [16, 3_000, 900_100],
    ]);
    // It began in the middle between two readings.
    expect(energies(begun)).toEqual([0, 0, expect.closeTo(250 / 3.5, 6), expect.closeTo(100 / 3.5, 6)]);
    const ended = ledgerOf([
      [0, 3_000, 900_000],
      [1, 3_000, 900_100],
      ...[2, 3, 4].map((at): Told => [at, 3_000, 900_100]),
      ...Array.from({ length: 9 }, (_, at): Told => [at + 5, 0, 900_100]),
      [14, 0, 900_300],
    ]);
    expect(energies(ended)).toEqual([expect.closeTo(300, 6), 0, 0]);
  });

  test('is spread evenly where the power is not told, or gives something throughout', () => {
    for (const powerW of [undefined, 60, 3_000]) {
      const still = Array.from({ length: 15 }, (_, at): Told => [at, powerW, 900_000]);
      const shares = energies(ledgerOf([...still, [15, powerW, 900_150]])).slice(0, 3);
      expect(shares).toEqual([50, 50, 50].map((wh) => expect.closeTo(wh, 6)));
    }
  });

  test('stays where the counter shows it where the power gave nothing before', () => {
    const still = Array.from({ length: 15 }, (_, at): Told => [at, at < 3 ? 3_000 : 0, 900_000 + 50 * Math.min(at, 2)]);
    expect(energies(ledgerOf([...still, [15, 0, 900_250]])).slice(0, 3)).toEqual([100, 0, 150]);
  });

  test('is put nowhere where the power rested for the whole bucket, and none of it is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 20, maxLength: 60 }), (runs) => {
        let flowedWh = 0;
        const told = runs.map((isOn, at): Told => {
          flowedWh += (isOn ? 60 : 0) + (at > 0 && runs[at - 1] === true ? 60 : 0);
          return [at, isOn ? 7_200 : 0, 900_000 + Math.floor(flowedWh / 1_000) * 1_000];
        });
        const buckets = ledgerOf(told);
        expect(totalWh(buckets, 'pv')).toBeCloseTo((told.at(-1)?.[2] ?? 0) - 900_000, 6);
        for (const { bucketMs, energyWh } of buckets) {
          const at = (bucketMs - START_MS) / 60_000;
          const rested = runs.slice(at, at + 6).length === 6 && !runs.slice(at, at + 6).includes(true);
          if (rested) expect(energyWh.pv).toBe(0);
        }
      }),
    );
  });
});
