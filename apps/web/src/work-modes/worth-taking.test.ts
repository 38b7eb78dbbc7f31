import type { Plan } from '@sonnenwarte/contract/work-modes/plan';
import { expect, test } from 'vitest';
import { changedValues, countChanges } from './use-plan-draft.ts';
import { apartBySaving, isLoss } from './worth-taking.ts';

const saves = (saved: string | null) => ({ outcome: { saved } });

test('a proposal that saves nothing, or loses, is not among those that are offered; one whose saving is not known is', () => {
  const proposals = [saves('0.00'), saves('-2.87'), saves('3.10'), saves(null)];
  expect(apartBySaving(proposals)).toEqual({
    saving: [saves('3.10'), saves(null)],
    idle: [saves('0.00'), saves('-2.87')],
  });
});

test('a loss is what is known to be below nothing', () => {
  expect(['-0.01', '0.00', '5.00', null].map(isLoss)).toEqual([true, false, false, false]);
});

test('whatever of a plan is counted as changed beside its windows is named', () => {
  const told: Plan = {
    mode: 'selfUse',
    minSoc: 10,
    backupSoc: 50,
    gridCharge: false,
    peakLimitW: 8_000,
    periods: [],
    pricePeriods: [],
  };
  const changes: Partial<Plan>[] = [
    { mode: 'backup' },
    { minSoc: 20 },
    { backupSoc: 60 },
    { gridCharge: true },
    { peakLimitW: 5_000 },
    { pricePeriods: [{ startMin: 0, endMin: 1_440, days: 127, price: 30 }] },
  ];
  for (const change of changes) {
    expect(changedValues({ ...told, ...change }, told)).toEqual(Object.keys(change));
    expect(countChanges({ ...told, ...change }, told)).toBe(1);
  }
  expect(changedValues(told, told)).toEqual([]);
});
