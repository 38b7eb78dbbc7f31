import { expect, test } from 'vitest';
import { dayInsight } from './day-insight.ts';
import { expectedDay, skyDay } from './expected-power.ts';

const COUNT = 288;
const START = Date.UTC(2026, 5, 10);
const place = { latitude: 48.4, longitude: 11.7, altitudeM: 450 };
const arrays = [{ ratedW: 10_000, tiltDeg: 30, azimuthDeg: 180 }];

test('with a sensor it is the yield over the irradiance that was measured, to the last digit, also where the sky was brighter than clear', () => {
  const model = { place, arrays, ratedAcW: null, commissionedMs: null };
  const expected = expectedDay(model, skyDay(place, START, COUNT)) ?? expect.fail('no arrays');
  const unknown = new Float64Array(COUNT).fill(Number.NaN);
  // Light and shade of broken clouds, 1,300 W/m2 at their edges.
  const planeWm2 = expected.clearW.map((clearW, at) => (clearW / 10) * (at % 3 === 0 ? 1.45 : 0.47));
  const pvW = planeWm2.map((wm2, at) => 8 * wm2 * (at % 2 === 0 ? 1 : 0.9));
  const insight = dayInsight({
    startMs: START,
    kwp: 10,
    expected,
    pvW,
    gridW: unknown,
    loadW: unknown,
    batteryW: unknown,
    battery: null,
    inverters: [],
    alarms: [],
    exportLimitW: null,
    sensor: { planeWm2, array: 0, moduleC: null },
    ambientC: null,
    neighbours: null,
    profile: null,
  });
  const sum = (series: Float64Array) => series.reduce((all, each) => all + each, 0);
  expect(insight.source).toBe('sensor');
  expect(insight.performanceRatio).toBeCloseTo(sum(pvW) / (10 * sum(planeWm2)), 9);
});
