import { expect, test } from 'vitest';
import type { BarSlot } from '../charts/bar-geometry.ts';
import { energyParts } from '../format/quantities.ts';
import { partSums } from './part-sums.ts';

const slot = (key: string, ...valuesWh: (number | null)[]): BarSlot => ({
  key,
  label: key,
  longLabel: key,
  valuesWh,
  estimated: false,
});

test('the sums of the parts are those of all bars, unknown where no bar knows a part, and add up as they are shown', () => {
  const sums = partSums({
    parts: [
      { key: 'house', tone: 'load' },
      { key: 'battery', tone: 'battery' },
      { key: 'grid', tone: 'grid' },
    ],
    slots: [slot('1', 1_249, null, 333), slot('2', 100, null, null), slot('3', null, null, 333)],
  });
  expect(sums).toEqual([1_349, null, 666]);
  const { parts, sum } = energyParts(sums, 'en');
  const shown = parts.map((part) => Number.parseFloat(part)).filter((number) => !Number.isNaN(number));
  expect(shown.reduce((all, number) => all + number, 0)).toBeCloseTo(Number.parseFloat(sum), 6);
});
