import { expect, test } from 'vitest';
import { chargeAtEdges } from './charge-at-edges.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 5, 1);
const bounds = { startMs: START_MS, endMs: START_MS + 15 * MINUTE_MS };

const edgesOf = (...told: readonly (readonly [minute: number, percent: number])[]) => [
  ...chargeAtEdges(
    { timesMs: told.map(([minute]) => START_MS + minute * MINUTE_MS), percent: told.map(([, percent]) => percent) },
    bounds,
  ),
];

test('of a sample each full five minutes, it is the one at the edge: the first of the bucket that follows', () => {
  expect(edgesOf([0, 80], [5, 81.5], [10, 83], [15, 84])).toEqual([80, 81.5, 83, 84]);
});

test('of samples at other times it lies on the way between them', () => {
  expect(edgesOf([-3, 50], [2, 55], [7, 60], [12, 50], [17, 40])).toEqual([53, 58, 54, 44]);
});

test('is not known where samples are too far apart, but for the one within the bucket that ends', () => {
  expect(edgesOf([-19, 50], [2, 60])).toEqual([Number.NaN, 60, Number.NaN, Number.NaN]);
  expect(edgesOf([-3, 50], [22, 60])).toEqual([50, Number.NaN, Number.NaN, Number.NaN]);
  expect(edgesOf([-1, 50], [14, 65])).toEqual([51, 56, 61, 65]);
  expect(edgesOf()).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
});
