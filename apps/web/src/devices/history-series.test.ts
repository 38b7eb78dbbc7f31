import { describe, expect, test } from 'vitest';
import { alignHistory } from './history-series.ts';

const point = (variable: string, samples: [number, number | string][]) => ({
  variable,
  name: variable,
  unit: 'W',
  data: samples.map(([tsMs, value]) => ({ time: '', tsMs, value })),
});

describe('samples on one axis', () => {
  test('leave a gap open where a point was silent', () => {
    const minute = 60_000;
    const aligned = alignHistory([
      point('a', [
        [0, 1],
        [minute, 2],
        [2 * minute, 3],
        [60 * minute, 4],
      ]),
    ]);
    expect(aligned.series[0]?.values).toEqual([1, 2, 3, null, 4]);
  });

  test('stay joined where history of five minutes goes over into samples of ten seconds', () => {
    const history = Array.from({ length: 20 }, (_, at): [number, number] => [at * 300_000, 1]);
    const live = Array.from({ length: 200 }, (_, at): [number, number] => [5_710_000 + at * 10_000, 2]);
    const { series } = alignHistory([point('a', [...history, ...live])]);
    expect(series[0]?.values).toHaveLength(220);
    expect(series[0]?.values).not.toContain(null);
  });

  test('of points with other times share the axis and do not run on past their last sample', () => {
    const aligned = alignHistory([
      point('a', [
        [0, 1],
        [20, 3],
      ]),
      point('b', [
        [10, 5],
        [30, 6],
      ]),
    ]);
    expect(aligned.tsMs).toEqual([0, 10, 20, 30]);
    expect(aligned.series.map((series) => series.values)).toEqual([
      [1, 1, 3, null],
      [null, 5, 5, 6],
    ]);
  });

  test('take numbers only', () => {
    expect(alignHistory([point('a', [[0, 'idle']])])).toEqual({
      tsMs: [],
      series: [{ variable: 'a', unit: 'W', values: [] }],
    });
  });
});
