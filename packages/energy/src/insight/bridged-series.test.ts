import { expect, test } from 'vitest';
import { bridgedSeries } from './bridged-series.ts';

const nan = Number.NaN;

test('between values of every quarter of an hour a series goes in a straight line, and longer holes and both ends stay unknown', () => {
  const told = Float64Array.of(nan, 1, nan, nan, 4, nan, nan, nan, 8, nan, nan, nan, nan, 9, nan);
  expect([...bridgedSeries(told)]).toEqual([nan, 1, 2, 3, 4, 5, 6, 7, 8, nan, nan, nan, nan, 9, nan]);
});
