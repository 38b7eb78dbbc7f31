import { isGapBefore } from '@sonnenwarte/contract/analysis/gaps';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Curve, type Drawn, type Told } from './curve.ts';

const HOUR_MS = 3_600_000;
const drawn = (columns: number, whole: number): Drawn => ({ fromMs: 0, toMs: HOUR_MS, columns, whole });

/** A curve told in parts of a size. */
function toldOf(samples: readonly (readonly [number, number | null])[], how: Drawn, part: number): Told {
  const curve = new Curve(how);
  for (let at = 0; at < samples.length; at += part) {
    const slice = samples.slice(at, at + part);
    curve.add(
      slice.map(([tsMs]) => tsMs),
      slice.map(([, value]) => value),
    );
  }
  return curve.end();
}

const series = fc
  .uniqueArray(fc.integer({ min: 0, max: HOUR_MS - 1 }), { minLength: 1, maxLength: 400 })
  .chain((times) =>
    fc
      .array(fc.option(fc.integer({ min: -500, max: 500 })), { minLength: times.length, maxLength: times.length })
      .map((values) => times.toSorted((a, b) => a - b).map((tsMs, at) => [tsMs, values[at] ?? null] as const)),
  );
const columns = fc.integer({ min: 1, max: 40 });
const part = fc.integer({ min: 1, max: 500 });

const known = (samples: readonly (readonly [number, number | null])[]) =>
  samples.flatMap(([tsMs, value]) => (value === null ? [] : [[tsMs, value] as const]));
const pairs = ({ timesMs, values }: Told) => timesMs.map((tsMs, at) => [tsMs, values[at] ?? null] as const);

describe('a curve', () => {
  test('of few samples has each of them, and breaks only where nothing was told for long', () => {
    fc.assert(
      fc.property(series, part, (samples, size) => {
        const told = toldOf(samples, drawn(10, 400), size);
        expect(told.isThinned).toBe(false);
        expect(told.samples).toBe(known(samples).length);
        expect(known(pairs(told))).toEqual(known(samples));
        const breaks = pairs(told).filter(([, value]) => value === null);
        const timesMs = known(samples).map(([tsMs]) => tsMs);
        const gaps = timesMs.filter((_, at) => at > 0 && isGapBefore(timesMs, at));
        expect(breaks.map(([tsMs]) => tsMs)).toEqual(gaps.map((tsMs) => (timesMs[timesMs.indexOf(tsMs) - 1] ?? 0) + 1));
      }),
    );
  });

  test('of many samples keeps of each column of pixels the lowest and the highest at their own times, and nothing that was not told', () => {
    fc.assert(
      fc.property(series, columns, part, (samples, count, size) => {
        const told = toldOf(samples, drawn(count, 0), size);
        const all = known(samples);
        expect(told.samples).toBe(all.length);
        expect(told.isThinned).toBe(all.length > 2 * count);
        const columnOf = (tsMs: number) => Math.floor(tsMs / (HOUR_MS / count));
        const kept = known(pairs(told));
        for (let column = 0; column < count; column += 1) {
          const [before, after] = [all, kept].map((list) =>
            list.filter(([tsMs]) => columnOf(tsMs) === column).map(([, value]) => value),
          );
          expect(Math.max(...(after ?? []))).toBe(Math.max(...(before ?? [])));
          expect(Math.min(...(after ?? []))).toBe(Math.min(...(before ?? [])));
          if (told.isThinned) expect(after?.length).toBeLessThanOrEqual(2);
        }
        const original = new Map(all);
        for (const [tsMs, value] of kept) expect(original.get(tsMs)).toBe(value);
        expect(told.timesMs).toEqual([...new Set(told.timesMs)].toSorted((a, b) => a - b));
        // Two values and a break for each column: what is held does not follow the samples.
        if (told.isThinned) expect(told.timesMs.length).toBeLessThanOrEqual(3 * count);
      }),
    );
  });

  test('is the same however it is told in parts', () => {
    fc.assert(
      fc.property(series, columns, part, part, (samples, count, one, other) => {
        expect(toldOf(samples, drawn(count, 30), one)).toEqual(toldOf(samples, drawn(count, 30), other));
      }),
    );
  });

  test('that is thinned stays broken wherever a column or more of pixels hold nothing', () => {
    const samples = Array.from({ length: 3_600 }, (_, second) => [second * 1_000, second % 7] as const).filter(
      ([tsMs]) => tsMs < 1_200_000 || tsMs > 1_500_000,
    );
    const told = toldOf(samples, drawn(60, 0), 500);
    expect(told.isThinned).toBe(true);
    const breaks = pairs(told).filter(([, value]) => value === null);
    expect(breaks).toEqual([[1_199_001, null]]);
  });

  test('a day of history and a day of samples each ten seconds are one curve without a break, however they are told in parts, drawn whole or thinned', () => {
    const every = (stepMs: number, count: number, fromMs = 0) =>
      Array.from({ length: count }, (_, at) => fromMs + at * stepMs);
    const timesMs = [...every(300_000, 288), ...every(10_000, 8_640, 24 * HOUR_MS)];
    const samples = timesMs.map((tsMs, at) => [tsMs, at % 9] as const);
    for (const whole of [20_000, 0])
      for (const size of [7, 300, 43_200]) {
        const told = toldOf(samples, { fromMs: 0, toMs: 48 * HOUR_MS, columns: 1_000, whole }, size);
        expect(told.values).not.toContain(null);
        expect(told.samples).toBe(samples.length);
      }
  });
});
