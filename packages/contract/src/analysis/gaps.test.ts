import { describe, expect, test } from 'vitest';
import { isGapBefore } from './gaps.ts';

const HOUR_MS = 3_600_000;

describe('a gap is what is no usual step where it lies:', () => {
  const every = (stepMs: number, count: number, fromMs = 0) =>
    Array.from({ length: count }, (_, at) => fromMs + at * stepMs);
  const lengthsOf = (timesMs: readonly number[]) =>
    timesMs.flatMap((tsMs, at) =>
      at > 0 && isGapBefore(timesMs, at) ? [(tsMs - (timesMs[at - 1] ?? 0)) / 1_000] : [],
    );
  const HISTORY_MS = 300_000;
  const LIVE_MS = 10_000;
  const history = every(HISTORY_MS, 100);
  const historyEndMs = history.at(-1) ?? 0;

  test.each([1, 10, 1_000, 10_000])(
    'history of five minutes stays joined, %i samples of ten seconds after it or before it',
    (count) => {
      const after = [...history, ...every(LIVE_MS, count, historyEndMs + LIVE_MS)];
      expect(lengthsOf(after)).toEqual([]);
      const before = every(LIVE_MS, count);
      expect(lengthsOf([...before, ...every(HISTORY_MS, 100, (before.at(-1) ?? 0) + HISTORY_MS)])).toEqual([]);
    },
  );

  test('six minutes of silence among samples of ten seconds stay open, however much history of five minutes lies before and after', () => {
    const fromMs = historyEndMs + HISTORY_MS;
    const live = [...every(LIVE_MS, 50, fromMs), ...every(LIVE_MS, 50, fromMs + 49 * LIVE_MS + 360_000)];
    const toMs = (live.at(-1) ?? 0) + HISTORY_MS;
    expect(lengthsOf(live)).toEqual([360]);
    expect(lengthsOf([...history, ...live])).toEqual([360]);
    expect(lengthsOf([...history, ...live, ...every(HISTORY_MS, 4_000, toMs)])).toEqual([360]);
  });

  test('a sample that stands alone between two silences is joined to neither side, nor one at an end', () => {
    const live = every(LIVE_MS, 20);
    const endMs = live.at(-1) ?? 0;
    const alone = [...live, endMs + 360_000, ...every(LIVE_MS, 20, endMs + 720_000)];
    expect(lengthsOf(alone)).toEqual([360, 360]);
    expect(lengthsOf([...live, endMs + 360_000])).toEqual([360]);
    expect(lengthsOf([0, ...every(LIVE_MS, 20, 360_000)])).toEqual([360]);
  });

  test('history of five minutes that is told for some time amid samples of ten seconds is joined, from its first sample to its last', () => {
    for (const count of [3, 4, 5, 6, 12]) {
      const live = every(LIVE_MS, 50);
      const told = every(HISTORY_MS, count, (live.at(-1) ?? 0) + HISTORY_MS);
      expect(lengthsOf([...live, ...told, ...every(LIVE_MS, 50, (told.at(-1) ?? 0) + LIVE_MS)])).toEqual([]);
    }
  });

  test('reports that come irregularly are joined, and a night without any is not', () => {
    const steps = [60, 300, 90, 240, 480, 70, 600, 120, 310];
    const day = (fromMs: number) => {
      const times = [fromMs];
      for (let at = 0; at < 200; at += 1) times.push((times.at(-1) ?? 0) + (steps[at % steps.length] ?? 0) * 1_000);
      return times;
    };
    const first = day(0);
    const nextMs = (first.at(-1) ?? 0) + 8 * HOUR_MS;
    expect(lengthsOf(first)).toEqual([]);
    expect(lengthsOf([...first, ...day(nextMs)])).toEqual([8 * 3_600]);
  });

  test('of few samples each says what is usual; of two alone, twenty minutes are', () => {
    expect(lengthsOf([5])).toEqual([]);
    expect(lengthsOf([0, HISTORY_MS])).toEqual([]);
    expect(lengthsOf([0, HOUR_MS])).toEqual([3_600]);
    expect(lengthsOf([0, HISTORY_MS, 2 * HISTORY_MS, HOUR_MS + 2 * HISTORY_MS])).toEqual([3_600]);
    expect(lengthsOf(every(HOUR_MS, 4))).toEqual([]);
  });
});
