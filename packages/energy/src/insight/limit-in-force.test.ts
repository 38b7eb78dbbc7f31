import { describe, expect, test } from 'vitest';
import { dayInsight } from './day-insight.ts';
import { clearnessOf, expectedDay, powerAtClearness, skyDay } from './expected-power.ts';
import { limitsInForce, type ToldLimits } from './limit-in-force.ts';
import { peerReference } from './peers.ts';
import type { PlantDay } from './plant-day.ts';

const COUNT = 288;
const START = Date.UTC(2026, 5, 10);
const place = { latitude: 48.4, longitude: 11.7, altitudeM: 450 };
const arrays = [{ ratedW: 10_000, tiltDeg: 30, azimuthDeg: 180 }];
const model = { place, arrays, ratedAcW: 9_000, commissionedMs: null };
const expected = expectedDay(model, skyDay(place, START, COUNT)) ?? expect.fail('no arrays');
const none: ToldLimits = { inForceW: null, exportW: [], powerW: null };
const offeredW = powerAtClearness(expected, new Float64Array(COUNT).fill(0.8)).expectedW;
const series = (value: number) => new Float64Array(COUNT).fill(value);

/** A house that uses 500 W, of which no more is fed in or generated than a limit. */
function heldDay(told: ToldLimits, { feedW = 1e9, powerW = 1e9 } = {}): PlantDay {
  const pvW = offeredW.map((watts) => Math.min(watts, feedW + 500, powerW));
  const gridW = pvW.map((watts) => 500 - watts);
  return {
    startMs: START,
    kwp: 10,
    expected,
    pvW,
    gridW,
    loadW: series(500),
    batteryW: series(0),
    battery: null,
    inverters: [],
    alarms: [],
    ...limitsInForce({ pvW, gridW, expected }, told),
    sensor: null,
    ambientC: null,
    neighbours: peerReference(Array.from({ length: 6 }, () => clearnessOf(expected, offeredW))),
    profile: null,
  };
}

describe('a plant that is held back without an energy manager', () => {
  test.each([
    ['by what its inverter is set to', { ...none, exportW: [3_000] }, { feedW: 3_000 }],
    ['by what its inverters are set to together', { ...none, exportW: [1_500, 1_500] }, { feedW: 3_000 }],
    ['by nothing that was told: its feed-in stands though the sun goes on', none, { feedW: 3_000 }],
    ['by the power that its inverters may give', { ...none, powerW: 3_500 }, { powerW: 3_500 }],
  ])('has that for a reason: %s', (_, told, limit) => {
    const { reasons, unexplainedWh, observation } = dayInsight(heldDay(told, limit));
    const lostWh = offeredW.reduce((sum, watts) => sum + Math.max(0, watts - 3_500), 0) / 12;
    expect(reasons.map(({ kind }) => kind)).toEqual(['export-limit']);
    expect((reasons[0]?.lossWh ?? 0) / lostWh).toBeGreaterThan(0.97);
    expect(unexplainedWh).toBe(0);
    // So it is not taken for what the plant usually gives.
    expect(observation.ratio === null || observation.ratio > 0.97).toBe(true);
  });
});

test('a limit that is set now was not in force on a day on which more was fed in, and a clear noon is no limit', () => {
  expect(heldDay({ ...none, exportW: [3_000] }).exportLimitW).toBeNull();
  expect(heldDay(none).exportLimitW).toBeNull();
  expect(dayInsight(heldDay({ ...none, exportW: [3_000] })).reasons).toEqual([]);
});

test('what is missing without a reason and without a word on limits names that as what lacks', () => {
  const day = heldDay(none);
  const weakW = day.pvW.map((watts) => 0.7 * watts);
  const weak = { ...day, pvW: weakW, gridW: weakW.map((watts) => 500 - watts) };
  expect(dayInsight(weak).missing).toContain('export-limit');
  expect(dayInsight({ ...weak, isLimitTold: true }).missing).not.toContain('export-limit');
  expect(dayInsight(day).missing).not.toContain('export-limit');
});
