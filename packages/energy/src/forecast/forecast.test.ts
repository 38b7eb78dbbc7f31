import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayBounds, hoursOfDay } from '../calendar.ts';
import { clearSkyPowerW, type PvPlant, pvPlantOf } from '../physics/plant-power.ts';
import { hourEnergies } from './day-hours.ts';
import { clearnessOf, dayRange, LEAST_DAYS, restRange, type SkyDay, splitAt } from './own-sky.ts';
import { weatherEnergyWh } from './weather-energy.ts';
import { weatherRange } from './weather-range.ts';
import { weightedRange } from './weighted-range.ts';

const ZONE = 'Europe/Berlin';
const plant = pvPlantOf({
  latitude: 48.4,
  longitude: 11.7,
  altitudeM: 448,
  systemSizeKwp: 9.9,
  arrays: [
    { kwp: 6.6, inclinationDeg: 35, azimuthDeg: 172 },
    { kwp: 3.3, inclinationDeg: 35, azimuthDeg: 262 },
  ],
}) as PvPlant;
const clearOf = (day: string) => hourEnergies(day, ZONE, (tsMs) => clearSkyPowerW(tsMs, plant));
const sum = (values: readonly (number | null)[]) => values.reduce<number>((all, each) => all + (each ?? 0), 0);

/** A day of June that gave the same share of its clear sky throughout. */
function evenDay(share: number): SkyDay {
  const clearWh = clearOf('2026-06-15');
  return { clearWh, yieldWh: clearWh.map((wh) => share * wh) };
}

describe('a range of values', () => {
  test('is that of order statistics where all weigh the same', () => {
    const values = Array.from({ length: 19 }, (_, place) => ({ value: place + 1, weight: 3 }));
    expect(weightedRange(values)).toEqual({ p10: 2, p50: 10, p90: 18 });
  });

  test('stands in order within its values, whatever they and their order are', () => {
    const weighted = fc.record({
      value: fc.double({ min: 0, max: 1.2, noNaN: true }),
      weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(weighted, { minLength: 1, maxLength: 60 }), (values) => {
        const { p10, p50, p90 } = weightedRange(values);
        const numbers = values.map(({ value }) => value);
        expect(p10).toBeLessThanOrEqual(p50);
        expect(p50).toBeLessThanOrEqual(p90);
        expect(p10).toBeGreaterThanOrEqual(Math.min(...numbers));
        expect(p90).toBeLessThanOrEqual(Math.max(...numbers));
        expect(weightedRange(values.toReversed())).toEqual({ p10, p50, p90 });
      }),
    );
  });

  test('follows the values that weigh', () => {
    const values = Array.from({ length: 40 }, (_, place) => ({
      value: place < 20 ? 0.2 : 0.9,
      weight: place < 20 ? 0.01 : 1,
    }));
    expect(weightedRange(values)).toEqual({ p10: 0.9, p50: 0.9, p90: 0.9 });
  });
});

describe('the days of a plant', () => {
  test('have as many hours as their clock, and the energy of their power', () => {
    for (const day of ['2026-03-29', '2026-06-15', '2026-10-25'])
      expect(clearOf(day)).toHaveLength(hoursOfDay(day, ZONE).length);
    const { startMs, endMs } = dayBounds('2026-06-15', ZONE);
    let exactWh = 0;
    for (let tsMs = startMs; tsMs < endMs; tsMs += 60_000) exactWh += clearSkyPowerW(tsMs + 30_000, plant) / 60;
    expect(Math.abs(sum(clearOf('2026-06-15')) / exactWh - 1)).toBeLessThan(0.005);
  });

  test('of which more than a fiftieth of the light is not told have no clearness', () => {
    const day = evenDay(0.5);
    expect(clearnessOf(day)).toBeCloseTo(0.5, 12);
    const without = (hour: number): SkyDay => ({
      ...day,
      yieldWh: day.yieldWh.map((wh, at) => (at === hour ? null : wh)),
    });
    expect(clearnessOf(without(1))).toBeCloseTo(0.5, 12);
    expect(clearnessOf(without(13))).toBeNull();
    expect(clearnessOf({ clearWh: [0, 0], yieldWh: [0, 0] })).toBeNull();
  });

  test('are split without loss at any time', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 24, noNaN: true }), (hours) => {
        const day = evenDay(0.7);
        const { clearSoFarWh, clearRestWh, soFarWh, restWh } = splitAt(day, hours);
        expect(clearSoFarWh + clearRestWh).toBeCloseTo(sum(day.clearWh), 6);
        expect(soFarWh + restWh).toBeCloseTo(sum(day.yieldWh), 6);
        expect(restWh).toBeGreaterThanOrEqual(-1e-6);
      }),
    );
  });
});

describe('a forecast by the plant itself', () => {
  const mixed = Array.from({ length: 42 }, (_, place) => ((place * 5) % 9) / 10 + 0.1);

  test('needs a fortnight of days that are known', () => {
    const few = [...Array.from({ length: 20 }, () => null), ...mixed.slice(0, LEAST_DAYS - 1)];
    expect(dayRange(few, 0.5, 10_000)).toBeNull();
    expect(dayRange([...few, 0.4], 0.5, 10_000)).not.toBeNull();
    const past = Array.from({ length: LEAST_DAYS - 1 }, () => evenDay(0.5));
    const today = splitAt(evenDay(0.5), 12);
    expect(restRange(past, today, null)).toBeNull();
    expect(restRange([...past, evenDay(0.5)], today, null)).not.toBeNull();
  });

  test('tells more after a bright day than after a dull one where days stay alike', () => {
    const lasting = Array.from({ length: 42 }, (_, place) => (Math.floor(place / 6) % 2 === 0 ? 0.9 : 0.2));
    const [bright, dull] = [dayRange(lasting, 0.9, 10_000), dayRange(lasting, 0.2, 10_000)];
    expect(bright?.p50).toBe(9_000);
    expect(dull?.p50).toBe(2_000);
  });

  test('of the rest of a day follows how the day has gone', () => {
    const past = mixed.map(evenDay);
    const at = (share: number) => restRange(past, splitAt(evenDay(share), 12), 0.5);
    const { restWh } = splitAt(evenDay(0.8), 12);
    const [bright, dull] = [at(0.8), at(0.2)];
    expect(bright?.p10).toBeLessThanOrEqual(restWh);
    expect(bright?.p90).toBeGreaterThanOrEqual(restWh);
    expect(dull?.p90).toBeLessThan(bright?.p10 ?? 0);
  });

  test('is as that of a whole day as long as the sun has told nothing', () => {
    const past = mixed.map(evenDay);
    const today = splitAt(evenDay(0.5), 3);
    expect(restRange(past, today, 0.5)).toEqual(dayRange(past.map(clearnessOf), 0.5, today.clearRestWh));
  });
});

describe('a forecast by the weather', () => {
  const bounds = dayBounds('2026-06-15', ZONE);
  const weather = (ghiWm2: number) =>
    hoursOfDay('2026-06-15', ZONE).map(({ startMs }) => ({ startMs, ghiWm2, ambientC: 15, windMs: 2 }));

  test('expects more of more light, and nothing of none', () => {
    const expected = [0, 100, 400].map((ghi) => weatherEnergyWh(plant, weather(ghi), bounds) ?? -1);
    expect(expected[0]).toBe(0);
    expect(expected[1]).toBeGreaterThan(0);
    expect(expected[2]).toBeGreaterThan(3 * (expected[1] ?? 0));
  });

  test('expects of the light of a clear sky about what the clear sky gives', () => {
    const half = 3_600_000 / 2;
    // Modules that lie flat see the global light alone, so their power tells it but for their warmth.
    const flat: PvPlant = { ...plant, arrays: [{ ratedW: 1_000, plane: { tiltDeg: 0, azimuthDeg: 180 } }] };
    const hours = hoursOfDay('2026-06-15', ZONE).map(({ startMs }) => {
      const clearW = clearSkyPowerW(startMs + half, flat);
      return { startMs, ghiWm2: clearW / 0.9, ambientC: 20, windMs: 1 };
    });
    const expectedWh = weatherEnergyWh(flat, hours, bounds) ?? 0;
    const clearWh = sum(hourEnergies('2026-06-15', ZONE, (tsMs) => clearSkyPowerW(tsMs, flat)));
    expect(expectedWh / clearWh).toBeGreaterThan(0.85);
    expect(expectedWh / clearWh).toBeLessThan(1.1);
  });

  test('is none where hours of light are missing, and is one where only the night is', () => {
    const hours = weather(300);
    expect(weatherEnergyWh(plant, hours.toSpliced(12, 1), bounds)).toBeNull();
    expect(weatherEnergyWh(plant, hours.toSpliced(1, 1), bounds)).not.toBeNull();
  });

  test('is wide until its own errors of a fortnight are known, and then as wide as these', () => {
    const pairs = Array.from({ length: 40 }, (_, place) => ({ expectedWh: 1_000, cameWh: 900 + 5 * place }));
    const wide = weatherRange(pairs.slice(0, LEAST_DAYS - 1), 10_000);
    const own = weatherRange(pairs, 10_000);
    expect(wide.isLearned).toBe(false);
    expect(own.isLearned).toBe(true);
    expect(own.p90 - own.p10).toBeLessThan((wide.p90 - wide.p10) / 3);
    expect(own.p10).toBeGreaterThanOrEqual(9_000);
    expect(own.p90).toBeLessThanOrEqual(10_950);
  });
});
