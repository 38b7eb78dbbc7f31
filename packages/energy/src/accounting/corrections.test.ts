import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_MS } from './bucket-span.ts';
import type { DeviceBucket } from './buckets.ts';
import {
  bucketsOfSpan,
  type Correction,
  correctedBucket,
  evenParts,
  linearParts,
  partsByDays,
  partsByOthers,
  shapedParts,
} from './corrections.ts';
import { siteBuckets } from './site-balance.ts';
import type { SiteTopology } from './site-topology.ts';

const START_MS = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const wh = fc.double({ min: 0, max: 5_000, noNaN: true });

const buckets = fc.array(fc.option(fc.record({ pv: wh, load: wh }), { nil: undefined }), {
  minLength: 1,
  maxLength: 30,
});

const corrections = fc.array(
  fc.record({
    channel: fc.constantFrom('pv' as const, 'load' as const),
    first: fc.nat(29),
    parts: fc.option(fc.array(wh, { minLength: 1, maxLength: 12 }), { nil: null }),
    length: fc.integer({ min: 1, max: 12 }),
  }),
  { maxLength: 4 },
);

const bucketAt = (place: number, energyWh: { pv: number; load: number }): DeviceBucket => ({
  bucketMs: START_MS + place * BUCKET_MS,
  energyWh: { ...energyWh, acOut: energyWh.pv },
  powerW: { pv: energyWh.pv * 12 },
  maxPowerW: {},
  samples: 5,
  quality: 'measured',
});

const topology: SiteTopology = { devices: [{ deviceKey: 1, kind: 'inverter' }] };

function siteOf(list: readonly (DeviceBucket | undefined)[], applied: readonly Correction[]) {
  const readings = list.map((bucket, place) => {
    const bucketMs = START_MS + place * BUCKET_MS;
    const shown = correctedBucket(bucket, bucketMs, applied);
    return { bucketMs, byDevice: new Map(shown === undefined ? [] : [[1, shown]]), excused: new Set([1]) };
  });
  return siteBuckets(readings, topology, () => 'day');
}

const sets = corrections.map((list) =>
  list.map(({ channel, first, parts, length }): Correction => {
    const count = parts?.length ?? length;
    const fromMs = START_MS + first * BUCKET_MS;
    return { channel, fromMs, toMs: fromMs + count * BUCKET_MS, partsWh: parts };
  }),
);

describe('corrections', () => {
  test('leave what the device told untouched, so that without them a plant is the same to the last digit', () => {
    fc.assert(
      fc.property(buckets, sets, (told, applied) => {
        const list = told.map((each, place) => each && bucketAt(place, each));
        const before = structuredClone(siteOf(list, []));
        siteOf(list, applied);
        expect(siteOf(list, [])).toEqual(before);
      }),
    );
  });

  test('count in place of what was told, are marked, and change nothing beside them', () => {
    fc.assert(
      fc.property(buckets, sets, (told, applied) => {
        const one = applied.slice(0, 1);
        const [only] = one;
        if (only === undefined) return;
        const list = told.map((each, place) => each && bucketAt(place, each));
        const before = siteOf(list, []);
        const after = siteOf(list, one);
        after.forEach((bucket, place) => {
          const at = (bucket.bucketMs - only.fromMs) / BUCKET_MS;
          const name = only.channel === 'pv' ? 'pvWh' : 'loadWh';
          if (at < 0 || at >= bucketsOfSpan(only)) expect(bucket[name]).toBe(before[place]?.[name]);
          else {
            expect(bucket[name]).toBe(only.partsWh === null ? undefined : only.partsWh[at]);
            expect(bucket.qualities[only.channel]).toBe('corrected');
            expect(bucket.derived).not.toContain(only.channel);
          }
        });
      }),
    );
  });

  test('of a gap are not told by the balance either', () => {
    const list = [bucketAt(0, { pv: 500, load: 200 })];
    const gap: Correction = { channel: 'pv', fromMs: START_MS, toMs: START_MS + BUCKET_MS, partsWh: null };
    const [bucket] = siteOf(list, [gap]);
    expect(bucket?.pvWh).toBeUndefined();
    expect(bucket?.flows).toBeUndefined();
    expect(bucket?.loadWh).toBe(200);
  });
});

describe('parts of a span', () => {
  test('add up to the whole, none of them below nothing', () => {
    fc.assert(
      fc.property(wh, fc.array(wh, { minLength: 1, maxLength: 300 }), (energyWh, shape) => {
        for (const parts of [evenParts(energyWh, shape.length), shapedParts(energyWh, shape)]) {
          expect(parts).toHaveLength(shape.length);
          expect(sum(parts)).toBeCloseTo(energyWh, 6);
          for (const part of parts) expect(part).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  test('lie on a line between what stands beside it', () => {
    expect(linearParts(10, 50, 3)).toEqual([20, 30, 40]);
    expect(linearParts(5, 5, 2)).toEqual([5, 5]);
  });

  const day = (factor: number): Map<number, number> =>
    new Map(Array.from({ length: 15 * 288 }, (_, place) => [START_MS + place * BUCKET_MS, factor * (place % 288)]));
  const span = { fromMs: START_MS + 7 * DAY_MS + 60 * BUCKET_MS, toMs: START_MS + 7 * DAY_MS + 90 * BUCKET_MS };

  test('by others are theirs in the ratio of both, whatever stands in the span', () => {
    const own = day(2);
    for (let atMs = span.fromMs; atMs < span.toMs; atMs += BUCKET_MS) own.set(atMs, 99_999);
    const parts = partsByOthers(own, day(1), span);
    parts?.forEach((part, place) => {
      expect(part).toBeCloseTo(2 * (60 + place), 6);
    });
    expect(parts).toHaveLength(30);
    expect(partsByOthers(own, new Map(), span)).toBeUndefined();
  });

  test('by days are those of the same time around it', () => {
    const own = day(3);
    for (let atMs = span.fromMs; atMs < span.toMs; atMs += BUCKET_MS) own.set(atMs, 99_999);
    const parts = partsByDays(own, span);
    parts?.forEach((part, place) => {
      expect(part).toBeCloseTo(3 * (60 + place), 6);
    });
    expect(parts).toHaveLength(30);
    expect(partsByDays(new Map(), span)).toBeUndefined();
  });
});
