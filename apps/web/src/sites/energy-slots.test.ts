import type { Report, ReportVariable } from '@sonnenwarte/contract/sites/site';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boughtWhOf, type EnergySlots, energySlots, isEmpty, type Split, variablesOf } from './energy-slots.ts';

const labels = { short: String, long: String };
type Energies = Partial<Record<ReportVariable, number | null>>;

/** A report of a year: the energies of its months, in Wh. */
const yearOf = (months: readonly Energies[], quality: 'measured' | 'estimated' = 'measured'): Report =>
  [...new Set([...variablesOf('production'), ...variablesOf('consumption')])].map((variable) => ({
    variable,
    unit: 'kWh',
    data: months.map((month, place) => {
      const wh = month[variable] ?? null;
      return { index: place + 1, value: wh === null ? null : Math.round(wh * 1e3) / 1e6, quality, label: '' };
    }),
  }));

const barsOf = (months: readonly Energies[], split: Split): EnergySlots =>
  energySlots(yearOf(months), split, 'year', '2026-06-21', labels);
const keysOf = ({ parts }: EnergySlots): string[] => parts.map(({ key }) => key);
const told = ({ parts, slots }: EnergySlots, place = 0): Record<string, number | null | undefined> =>
  Object.fromEntries(parts.map(({ key }, part) => [key, slots[place]?.valuesWh[part]]));

const wh = fc.double({ min: 0, max: 5e6, noNaN: true });

/** A plant and a month of it, in which every source gave and every sink took exactly what its flows say (docs/domain.md). */
const plant = fc
  .record({ hasBattery: fc.boolean(), hasCharger: fc.boolean(), hasExternal: fc.boolean(), loses: fc.boolean() })
  .chain((has) => {
    const only = (there: boolean) => (there ? wh : fc.constant(0));
    const month = fc
      .record({
        pvToLoad: wh,
        pvToCharger: only(has.hasCharger),
        pvToBattery: only(has.hasBattery),
        pvToGrid: wh,
        pvToLoss: only(has.loses),
        batteryToLoss: only(has.loses && has.hasBattery),
        externalToLoad: only(has.hasExternal),
        externalToCharger: only(has.hasExternal && has.hasCharger),
        batteryToLoad: only(has.hasBattery),
        batteryToCharger: only(has.hasBattery && has.hasCharger),
        gridToLoad: wh,
        gridToCharger: only(has.hasCharger),
        unexplainedToLoad: only(has.loses),
        /** What was measured in buckets of which no flow is known. */
        pvApart: only(has.loses),
        loadApart: only(has.loses),
      })
      .map(({ pvToLoss, batteryToLoss, unexplainedToLoad, pvApart, loadApart, ...flows }): Energies => {
        const { pvToLoad, pvToCharger, pvToBattery, pvToGrid } = flows;
        return {
          ...flows,
          loss: pvToLoss + batteryToLoss,
          PVEnergyTotal: pvToLoad + pvToCharger + pvToBattery + pvToGrid + pvToLoss + pvApart,
          loads:
            pvToLoad + flows.externalToLoad + flows.batteryToLoad + flows.gridToLoad + unexplainedToLoad + loadApart,
          charger: has.hasCharger
            ? pvToCharger + flows.externalToCharger + flows.batteryToCharger + flows.gridToCharger
            : null,
          external: has.hasExternal ? flows.externalToLoad + flows.externalToCharger : null,
          chargeEnergyToTal: has.hasBattery ? pvToBattery : null,
          dischargeEnergyToTal: has.hasBattery ? flows.batteryToLoad + flows.batteryToCharger + batteryToLoss : null,
        };
      });
    return fc.record({ has: fc.constant(has), months: fc.array(month, { minLength: 1, maxLength: 3 }) });
  });

const figureWh = (month: Energies, split: Split): number =>
  split === 'production' ? (month.PVEnergyTotal ?? 0) : (month.loads ?? 0) + (month.charger ?? 0);

describe('the parts of a bar', () => {
  test('add up to generation, and to what house and car consumed, with and without battery, charger, generator, losses', () => {
    fc.assert(
      fc.property(plant, fc.constantFrom('production', 'consumption'), ({ months }, split) => {
        const { slots } = barsOf(months, split);
        months.forEach((month, place) => {
          const sum = (slots[place]?.valuesWh ?? []).reduce<number>((all, value) => all + (value ?? 0), 0);
          expect(Math.abs(sum - figureWh(month, split))).toBeLessThan(0.1);
        });
      }),
    );
  });

  test('are those that the plant has', () => {
    fc.assert(
      fc.property(plant, ({ has, months }) => {
        const production = keysOf(barsOf(months, 'production'));
        const consumption = keysOf(barsOf(months, 'consumption'));
        expect(production.includes('battery')).toBe(has.hasBattery);
        expect(consumption.includes('battery')).toBe(has.hasBattery);
        expect(production.includes('car')).toBe(has.hasCharger);
        expect(consumption.includes('external')).toBe(has.hasExternal);
        if (!has.loses) expect([...production, ...consumption]).not.toContain('loss');
        if (!has.loses) expect([...production, ...consumption]).not.toContain('undivided');
      }),
    );
  });

  test('of a plant with a car are house, car, battery, grid and loss; and sun, battery and grid for both of them', () => {
    const month: Energies = {
      pvToLoad: 63_270,
      pvToCharger: 9_000,
      pvToBattery: 81_100,
      pvToGrid: 28_180,
      loss: 10_000,
      PVEnergyTotal: 188_400,
      batteryToLoad: 66_340,
      batteryToCharger: 4_000,
      gridToLoad: 135_020,
      gridToCharger: 138_400,
      loads: 264_630,
      charger: 151_400,
      chargeEnergyToTal: 82_100,
      dischargeEnergyToTal: 74_600,
    };
    const production = told(barsOf([month], 'production'));
    expect(Object.keys(production)).toEqual(['house', 'car', 'battery', 'grid', 'loss']);
    expect(production.loss).toBeCloseTo(188_400 - 181_550, 6);
    const consumption = told(barsOf([month], 'consumption'));
    expect(Object.keys(consumption)).toEqual(['sun', 'battery', 'grid']);
    expect(consumption.sun).toBeCloseTo(72_270, 6);
    expect(consumption.battery).toBeCloseTo(70_340, 6);
    expect(consumption.grid).toBeCloseTo(273_420, 6);
  });

  test('keep a battery that rested, and show none where a plant has none', () => {
    const rested: Energies = { pvToLoad: 5, pvToBattery: 0, pvToGrid: 0, PVEnergyTotal: 5, chargeEnergyToTal: 0 };
    expect(keysOf(barsOf([rested], 'production'))).toEqual(['house', 'battery', 'grid']);
    expect(keysOf(barsOf([{ ...rested, chargeEnergyToTal: null }], 'production'))).toEqual(['house', 'grid']);
  });
});

describe('the bars of a report', () => {
  const day = { pvToLoad: 2000, pvToGrid: 2000, PVEnergyTotal: 4000 };

  test('have a slot for every day of the month, measured or not', () => {
    const { slots } = energySlots(yearOf([day, {}]), 'production', 'month', '2026-02-10', labels);
    expect(slots).toHaveLength(28);
    expect(slots[0]?.valuesWh).toEqual([2000, 2000]);
    expect(slots[1]?.valuesWh).toEqual([null, null]);
    expect(slots[27]?.valuesWh).toEqual([null, null]);
  });

  test('of a day of 25 hours are 25', () => {
    const hours = Array.from({ length: 25 }, () => day);
    expect(energySlots(yearOf(hours), 'production', 'day', '2026-10-25', labels).slots).toHaveLength(25);
  });

  test('of a total run from the first year to this one', () => {
    const report: Report = [
      { variable: 'PVEnergyTotal', unit: 'kWh', data: [{ index: 2023, value: 1, quality: 'measured', label: '' }] },
    ];
    const { slots } = energySlots(report, 'production', 'total', '2026-06-21', labels);
    expect(slots.map((slot) => slot.key)).toEqual(['2023', '2024', '2025', '2026']);
  });

  test('are marked where a part was estimated', () => {
    const [first, second] = [yearOf([day, day]), yearOf([day, day], 'estimated')];
    const report = first.map((each, place) => ({
      ...each,
      data: each.data.map((entry, index) => (index === 1 ? (second[place]?.data[1] ?? entry) : entry)),
    }));
    const { slots } = energySlots(report, 'production', 'year', '2026-06-21', labels);
    expect(slots.map((slot) => slot.estimated).slice(0, 3)).toEqual([false, true, false]);
  });

  test('are empty only where nothing at all was measured', () => {
    expect(isEmpty(barsOf([], 'production'))).toBe(true);
    expect(isEmpty(barsOf([{ PVEnergyTotal: 0 }], 'production'))).toBe(false);
  });
});

describe('what the grid gave', () => {
  test('is told whole, as the key figure has it, beside the part of it that was consumed', () => {
    const report = yearOf([{ loads: 4000, gridToLoad: 3000, gridConsumption: 3800 }, { gridConsumption: 200 }]);
    expect(boughtWhOf(report)).toBe(4000);
    expect(boughtWhOf(yearOf([{ loads: 4000 }]))).toBeNull();
  });
});

describe('a period of which only the whole is known', () => {
  test.each([
    ['production', 'PVEnergyTotal'],
    ['consumption', 'loads'],
  ] as const)('shows it in one piece, without the parts of %s, and is not empty', (split, variable) => {
    const bars = barsOf([{}, {}, { [variable]: 4000 }], split);
    expect(keysOf(bars)).toEqual(['undivided']);
    expect(bars.slots[2]?.valuesWh).toEqual([4000]);
    expect(isEmpty(bars)).toBe(false);
  });

  test('is one piece beside months whose parts are known, which are not counted a second time', () => {
    const bars = barsOf([{ PVEnergyTotal: 4000, pvToLoad: 4000 }, { PVEnergyTotal: 5000 }], 'production');
    expect(told(bars, 0)).toEqual({ house: 4000, grid: null, undivided: null });
    expect(told(bars, 1)).toEqual({ house: null, grid: null, undivided: 5000 });
  });

  test('in part shows what of it no flow took and no loss explains', () => {
    const bars = barsOf([{ PVEnergyTotal: 9000, pvToLoad: 4000, pvToGrid: 1000, loss: 500 }], 'production');
    expect(told(bars)).toEqual({ house: 4000, grid: 1000, loss: 500, undivided: 3500 });
  });

  test('has a colour that no part of either division has', () => {
    const all = [...barsOf([{ PVEnergyTotal: 9000, pvToLoad: 4000 }], 'production').parts];
    all.push(...barsOf([{ loads: 9000, gridToLoad: 4000 }], 'consumption').parts);
    const tonesOf = (isOpen: boolean) =>
      all.filter(({ key }) => (key === 'undivided') === isOpen).map(({ tone }) => tone);
    expect(tonesOf(true)).toHaveLength(2);
    for (const tone of tonesOf(true)) expect(tonesOf(false)).not.toContain(tone);
  });
});
