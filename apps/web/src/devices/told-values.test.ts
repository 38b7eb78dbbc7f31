import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balanceOf, phasesOf, toldOf, withoutPastDays } from './told-values.ts';

const told = (values: Record<string, number>) =>
  toldOf(Object.entries(values).map(([variable, value]) => ({ variable, unit: '', value, tsMs: 0 })));
const watts = fc.double({ min: -60_000, max: 60_000, noNaN: true });

describe('power now', () => {
  test('adds up as it stands: PV and battery are loss and AC, whatever the powers', () => {
    fc.assert(
      fc.property(watts, watts, watts, (pv, battery, ac) => {
        const { pvW, batteryW, lossW, acW } = balanceOf(
          told({ 'DC/Power': pv, 'AC/ActivePower': ac }),
          { powerW: battery },
          true,
        );
        expect((pvW ?? 0) + (batteryW ?? 0) - (lossW ?? 0) - (acW ?? 0)).toBe(0);
        expect(Math.abs((pvW ?? 0) - pv)).toBeLessThanOrEqual(5);
      }),
    );
  });

  test('tells no loss where the battery is not known, and needs none where there is none', () => {
    const values = told({ 'DC/Power': 5_000, 'AC/ActivePower': 4_800 });
    expect(balanceOf(values, null, true).lossW).toBeNull();
    expect(balanceOf(values, null, false).lossW).toBe(200);
    expect(balanceOf(told({ 'DC/Power': 5_000 }), null, false)).toMatchObject({ lossW: null, acW: null });
  });
});

test('phases are those of which a device tells anything', () => {
  expect(phasesOf(told({ 'AC/L1/Voltage': 230, 'AC/L2/Power': 5 }), 'AC').map(({ n }) => n)).toEqual([1, 2]);
  expect(phasesOf(told({ 'AC/L1/Voltage': 230 }), 'Meter')).toEqual([]);
});

test('what was counted of a day that is over on the clock of the plant is not told as of today', () => {
  const tsMs = Date.UTC(2026, 10, 28, 20);
  const values = ['Energy/PvToday', 'Energy/PvTotal'].map((variable) => ({ variable, unit: 'kWh', value: 1, tsMs }));
  const shownAt = (nowMs: number, zone: string) => withoutPastDays(values, nowMs, zone).map(({ variable }) => variable);
  expect(shownAt(Date.UTC(2026, 10, 28, 22), 'Europe/Berlin')).toEqual(['Energy/PvToday', 'Energy/PvTotal']);
  expect(shownAt(Date.UTC(2026, 10, 29, 4), 'Europe/Berlin')).toEqual(['Energy/PvTotal']);
  expect(shownAt(Date.UTC(2026, 10, 29, 4), 'America/Los_Angeles')).toEqual(['Energy/PvToday', 'Energy/PvTotal']);
});
