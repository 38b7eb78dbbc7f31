import { expect, test } from 'vitest';
import { countsByPart, partTones } from './group-counts.ts';
import { resultTones } from './group-results.ts';

const counts = {
  total: 20,
  waiting: 2,
  underWay: 5,
  away: 4,
  confirmed: 10,
  failed: 2,
  refused: 1,
  differs: 0,
  timedOut: 0,
  expired: 1,
  cancelled: 1,
};

test('each device is counted once, and one that is not there apart from those under way', () => {
  const parts = countsByPart(counts);
  expect(parts.map(({ part, count }) => [part, count])).toEqual([
    ['confirmed', 10],
    ['refused', 1],
    ['expired', 1],
    ['underWay', 1],
    ['away', 4],
    ['waiting', 2],
    ['cancelled', 1],
  ]);
  expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(counts.total);
});

test('a part has the colour of its rows', () => {
  for (const state of ['confirmed', 'refused', 'differs', 'timedOut', 'expired', 'waiting', 'cancelled'] as const) {
    expect([state, partTones[state]]).toEqual([state, resultTones[state]]);
  }
});
