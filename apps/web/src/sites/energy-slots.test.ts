import type { Report } from '@sonnenwarte/contract/sites/site';
import { describe, expect, test } from 'vitest';
import { changeSinceYesterday } from './day-comparison.ts';
import { energySlots, hasUndivided, isDivided, isEmpty, parts, variablesOf } from './energy-slots.ts';

const labels = { short: String, long: String };
const report = (entries: [number, number | null][]): Report =>
  variablesOf('production').map((variable) => ({
    variable,
    unit: 'kWh',
    data: entries.map(([index, value]) => ({
      index,
      value,
      quality: index === 2 ? ('estimated' as const) : ('measured' as const),
      label: String(index),
    })),
  }));

describe('the bars of a report', () => {
  test('have a slot for every day of the month, measured or not', () => {
    const slots = energySlots(
      report([
        [1, 2],
        [2, null],
      ]),
      'production',
      'month',
      '2026-02-10',
      labels,
    );
    expect(slots).toHaveLength(28);
    expect(slots[0]?.valuesWh).toEqual([2000, 2000, 2000, null]);
    expect(slots[1]?.valuesWh).toEqual([null, null, null, null]);
    expect(slots[27]?.valuesWh).toEqual([null, null, null, null]);
  });

  test('of a day of 25 hours are 25', () => {
    const hours = Array.from({ length: 25 }, (_, index): [number, number] => [index + 1, 1]);
    expect(energySlots(report(hours), 'production', 'day', '2026-10-25', labels)).toHaveLength(25);
  });

  test('of a total run from the first year to this one', () => {
    const slots = energySlots(report([[2023, 1]]), 'production', 'total', '2026-06-21', labels);
    expect(slots.map((slot) => slot.key)).toEqual(['2023', '2024', '2025', '2026']);
  });

  test('are marked where a part was estimated', () => {
    const slots = energySlots(
      report([
        [1, 2],
        [2, 3],
      ]),
      'production',
      'year',
      '2026-06-21',
      labels,
    );
    expect(slots.map((slot) => slot.estimated).slice(0, 2)).toEqual([false, true]);
  });

  test('are empty only where nothing at all was measured', () => {
    expect(isEmpty(energySlots(report([]), 'production', 'year', '2026-06-21', labels))).toBe(true);
    expect(isEmpty(energySlots(report([[3, 0]]), 'production', 'year', '2026-06-21', labels))).toBe(false);
  });

  test('split what is produced and what is consumed by where it went and came from', () => {
    expect(parts.consumption.flatMap((part) => part.variables)).toEqual(['pvToLoad', 'batteryToLoad', 'gridToLoad']);
  });
});

describe('today against yesterday', () => {
  const day = (pvW: (number | null)[]) => ({
    date: '2026-06-21',
    ianaTimezone: 'UTC',
    startMs: 0,
    endMs: 86_400_000,
    bucketMs: 300_000,
    tsMs: pvW.map((_, index) => index * 300_000),
    pvW,
    externalW: [],
    batteryW: [],
    gridW: [],
    loadW: [],
    chargerW: [],
    socPercent: [],
    clearSkyW: null,
  });
  const flat = (powerW: number | null) => day(Array.from({ length: 20 }, () => powerW));

  test('counts only the time of day that both have lived through', () => {
    const before = day([...Array.from({ length: 10 }, () => 1000), ...Array.from({ length: 10 }, () => 9000)]);
    expect(changeSinceYesterday(flat(1200), before, 10 * 300_000)).toBeCloseTo(20);
  });

  test('says nothing at night or without values', () => {
    expect(changeSinceYesterday(flat(0), flat(0), 20 * 300_000)).toBeNull();
    expect(changeSinceYesterday(flat(100), flat(null), 20 * 300_000)).toBeNull();
  });
});

describe('a period of which only the whole is known', () => {
  const alone = (variable: 'PVEnergyTotal' | 'loads', entries: [number, number | null, number | null][]): Report => [
    {
      variable,
      unit: 'kWh',
      data: entries.map(([index, value]) => ({ index, value, quality: 'estimated', label: '' })),
    },
    {
      variable: 'pvToLoad',
      unit: 'kWh',
      data: entries.map(([index, , value]) => ({ index, value, quality: 'measured', label: '' })),
    },
  ];

  test.each([
    ['production', 'PVEnergyTotal'],
    ['consumption', 'loads'],
  ] as const)('shows it in one piece behind the parts of %s, and is not empty', (split, variable) => {
    const slots = energySlots(alone(variable, [[3, 4, null]]), split, 'year', '2026-06-21', labels);
    expect(slots[2]?.valuesWh).toEqual([null, null, null, 4000]);
    expect(slots[2]?.estimated).toBe(true);
    expect([isEmpty(slots), hasUndivided(slots), isDivided(slots)]).toEqual([false, true, false]);
  });

  test('keeps its parts where they are known: the whole is not counted a second time', () => {
    const report = alone('PVEnergyTotal', [
      [1, 4, 4],
      [2, 5, null],
    ]);
    const slots = energySlots(report, 'production', 'year', '2026-06-21', labels);
    expect(slots[0]?.valuesWh).toEqual([4000, null, null, null]);
    expect(slots[1]?.valuesWh).toEqual([null, null, null, 5000]);
    expect([hasUndivided(slots), isDivided(slots)]).toEqual([true, true]);
  });
});
