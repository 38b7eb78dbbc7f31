import { describe, expect, test } from 'vitest';
import { dayInsight } from './day-insight.ts';
import { clearnessOf, expectedDay, powerAtClearness, skyDay } from './expected-power.ts';
import { peerReference } from './peers.ts';
import type { PlantDay } from './plant-day.ts';
import { type PlantProfile, updatedProfile } from './profile.ts';
import { medianSlope, robustDeviation } from './statistics.ts';

const COUNT = 288;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 4, 1);
const DAYS = 29;
const place = { latitude: 48.4, longitude: 11.7, altitudeM: 450 };

const south = { ratedW: 10_000, tiltDeg: 30, azimuthDeg: 180 };
const north = { ratedW: 10_000, tiltDeg: 30, azimuthDeg: 0 };

/** A day of a plant that gives a share, by the bucket, of what its neighbours' light allows. */
function day(
  at: number,
  light: number,
  share: number | ((bucket: number) => number),
  { firstMs = START, array = south } = {},
): PlantDay {
  const startMs = firstMs + at * DAY_MS;
  const model = {
    place,
    arrays: [array],
    ratedAcW: 12_000,
    commissionedMs: null,
  };
  const expected = expectedDay(model, skyDay(place, startMs, COUNT)) ?? expect.fail('no arrays');
  const { expectedW } = powerAtClearness(expected, new Float64Array(COUNT).fill(light));
  const pvW = expectedW.map((powerW, bucket) => powerW * (typeof share === 'number' ? share : share(bucket)));
  const nothing = new Float64Array(COUNT);
  const curve = clearnessOf(expected, expectedW);
  return {
    startMs,
    kwp: expected.kwp,
    expected,
    pvW,
    gridW: pvW.map((powerW) => -powerW),
    loadW: nothing,
    batteryW: nothing,
    battery: null,
    inverters: [],
    alarms: [],
    exportLimitW: null,
    sensor: null,
    ambientC: null,
    neighbours: peerReference([curve, curve, curve, curve, curve]),
    profile: null,
  };
}

/** The last day of a series, and what was learned of all of them. */
function after(
  lightAt: (day: number) => number,
  shareAt: (day: number, light: number) => number | ((bucket: number) => number),
  where: Parameters<typeof day>[3] = {},
) {
  let profile: PlantProfile | null = null;
  let last = dayInsight(day(0, lightAt(0), shareAt(0, lightAt(0)), where));
  for (let at = 0; at < DAYS; at += 1) {
    const light = lightAt(at);
    last = dayInsight({ ...day(at, light, shareAt(at, light), where), profile });
    profile = updatedProfile(profile, last.observation);
  }
  return { last, kinds: last.reasons.map(({ kind }) => kind), profile: profile ?? expect.fail('nothing learned') };
}

const mixed = (at: number) => [1, 0.3, 0.7][at % 3] as number;

describe('dirt', () => {
  test('is what falls slowly in any light', () => {
    expect(after(mixed, (at) => 1 - 0.004 * at).kinds).toEqual(['soiling']);
  });

  test('is not a run of clear days, of which the model asks a little too much, after dull ones', () => {
    const clearSince = (at: number) => (at >= 20 || at % 7 === 3 ? 1 : 0.3);
    expect(after(clearSince, (_, light) => (light === 1 ? 0.91 : 1)).kinds).toEqual([]);
  });

  test('is not days that scatter', () => {
    // The last week is low, as chance has it once in a while.
    const scattered = (at: number) => 1 + 0.09 * Math.sin(at * 2.3) - (at > 20 ? 0.06 : 0);
    expect(after(() => 0.6, scattered).kinds).not.toContain('soiling');
  });
});

test('a roof of which the sun has little in winter is not called dirty: its model is off by another error each week', () => {
  const falling = (at: number) => 1 - 0.004 * at;
  const winter = Date.UTC(2026, 0, 1);
  expect(after(mixed, falling, { firstMs: winter, array: north }).kinds).not.toContain('soiling');
  expect(after(mixed, falling, { firstMs: winter }).kinds).toContain('soiling');
});

describe('shade', () => {
  const winter = Date.UTC(2026, 0, 5);
  /** UTC of 11.7 degrees east: 13 h by the sun begin at 12:13. */
  const fromBucket = (12 * 60 + 13) / 5;

  test('is found under a winter sun that never stands high, and reaches as far as the sun is lower still', () => {
    const { last } = after(
      () => 0.9,
      () => (bucket) => (bucket >= fromBucket ? 0.3 : 1),
      { firstMs: winter },
    );
    const [reason] = last.reasons;
    expect(reason).toMatchObject({ kind: 'shade', evidence: { fromSolarHour: 13 } });
    const lostWh = (last.expectedWh ?? 0) - (last.actualWh ?? 0);
    expect((reason?.lossWh ?? 0) / lostWh).toBeGreaterThan(0.9);
  });

  test('is none where all hours of a winter day give what they should', () => {
    const all = () => 1;
    expect(after(() => 0.9, all, { firstMs: winter }).kinds).toEqual([]);
  });
});

test('the level of a plant does not follow a week of a light that suits it, and does follow a cleaning within two months', () => {
  const week = after(mixed, (at) => (at >= 20 && at < 27 ? 1.08 : 1)).profile.level ?? Number.NaN;
  expect(week).toBeLessThan(1.02);
  let profile: PlantProfile | null = null;
  for (let at = 0; at < 90; at += 1) {
    const { observation } = dayInsight({ ...day(at, 0.8, at < 30 ? 0.85 : 1), profile });
    profile = updatedProfile(profile, observation);
  }
  expect(profile?.level).toBeGreaterThan(0.97);
});

test('a profile that was kept in another form counts as none', () => {
  const { profile } = after(mixed, () => 1);
  const { dayLights, ...rest } = profile;
  const former = { ...rest, version: 1, strings: { 'A String1': { part: 1, days: 9 } } } as unknown as PlantProfile;
  const today = day(DAYS, 0.8, 1);
  expect(dayLights.length).toBeGreaterThan(0);
  expect(dayInsight({ ...today, profile: former })).toEqual(dayInsight(today));
  expect(updatedProfile(former, dayInsight(today).observation).dayRatios).toHaveLength(1);
});

test('slopes are taken of pairs that may be compared, and a deviation is not moved by one value far out', () => {
  const values = [0, 10, 1, 11, 2, 12];
  expect(medianSlope(values, (start, end) => (end - start) % 2 === 0)).toBeCloseTo(0.5, 9);
  expect(robustDeviation([1, -1, 1, -1, 50])).toBeCloseTo(1.4826, 9);
  expect(robustDeviation([])).toBeNaN();
});
