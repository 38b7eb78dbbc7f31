import { describe, expect, test } from 'vitest';
import { dayInsight } from './day-insight.ts';
import { arrayPowerW, clearnessOf, expectedDay, type ModelArray, powerAtClearness, skyDay } from './expected-power.ts';
import { peerReference } from './peers.ts';
import type { PlantDay, StringDay } from './plant-day.ts';
import { type PlantProfile, updatedProfile } from './profile.ts';
import { likeliestPlane } from './string-planes.ts';

const COUNT = 288;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 3, 10);
const place = { latitude: 48.4, longitude: 11.7, altitudeM: 450 };
const east: ModelArray = { ratedW: 5_000, tiltDeg: 35, azimuthDeg: 95 };
const west: ModelArray = { ratedW: 4_000, tiltDeg: 35, azimuthDeg: 265 };
const clear = () => 1;
const dull = () => 0.2;
const NOON = 134;

/** A day of a plant of two roofs with a string on each, which nobody has told where they lie. */
function day(
  at: number,
  light: (bucket: number) => number,
  { shares = [1, 1], entered = [east, west] }: { shares?: readonly number[]; entered?: readonly ModelArray[] } = {},
): PlantDay {
  const startMs = START + at * DAY_MS;
  const sky = skyDay(place, startMs, COUNT);
  const made = (arrays: readonly ModelArray[]) =>
    expectedDay({ place, arrays, ratedAcW: 9_000, commissionedMs: null }, sky) ?? expect.fail('no arrays');
  const expected = made([east, west]);
  const clearness = Float64Array.from({ length: COUNT }, (_, bucket) => light(bucket));
  const stringsW = shares.map((share, array) =>
    clearness.map((each, bucket) => share * arrayPowerW(expected, array, bucket, each)),
  );
  const healthyW = powerAtClearness(expected, clearness).expectedW;
  const pvW = healthyW.map((powerW, bucket) => {
    const offeredW = arrayPowerW(expected, 0, bucket, light(bucket)) + arrayPowerW(expected, 1, bucket, light(bucket));
    const givenW = stringsW.reduce((sum, each) => sum + (each[bucket] as number), 0);
    return offeredW > 0 ? (powerW * givenW) / offeredW : 0;
  });
  const nothing = new Float64Array(COUNT);
  const strings = stringsW.map(
    (powerW, place): StringDay => ({ key: `String${place + 1}`, kwp: null, array: null, powerW }),
  );
  return {
    startMs,
    kwp: expected.kwp,
    expected: made(entered),
    pvW,
    gridW: pvW.map((powerW) => -powerW),
    loadW: nothing,
    batteryW: nothing,
    battery: null,
    inverters: [
      { key: 'A', ratedAcW: 9_000, kwp: null, heard: new Uint8Array(COUNT).fill(1), acW: pvW, dcW: pvW, strings },
    ],
    alarms: [],
    exportLimitW: null,
    sensor: null,
    ambientC: null,
    neighbours: null,
    profile: null,
  };
}

function profileOf(days: readonly PlantDay[]): PlantProfile | null {
  return days.reduce<PlantProfile | null>(
    (profile, each) => updatedProfile(profile, dayInsight({ ...each, profile }).observation),
    null,
  );
}

/** The day with five neighbours that tell its light. */
function withNeighbours(each: PlantDay, light: (bucket: number) => number): PlantDay {
  const { expected } = each;
  if (expected === null) return each;
  const clearness = Float64Array.from({ length: COUNT }, (_, bucket) => light(bucket));
  const curve = clearnessOf(expected, powerAtClearness(expected, clearness).expectedW);
  return { ...each, neighbours: peerReference([curve, curve, curve, curve, curve]) };
}

const weakOf = (each: PlantDay, profile: PlantProfile | null) =>
  dayInsight({ ...each, profile }).reasons.filter(({ kind }) => kind === 'string-weak');

const clearDays = Array.from({ length: 8 }, (_, at) => day(at, clear));
const dullDays = Array.from({ length: 8 }, (_, at) => day(at, dull));

describe('strings of which nobody has told where they lie', () => {
  const learned = profileOf(clearDays);

  test('are not weak on a day whose light favours the other roof', () => {
    const brightMorning = (bucket: number) => (bucket < NOON ? 1 : 0.15);
    const brightEvening = (bucket: number) => (bucket < NOON ? 0.15 : 1);
    expect(weakOf(day(9, brightMorning), learned)).toEqual([]);
    expect(weakOf(day(9, brightEvening), learned)).toEqual([]);
    expect(weakOf(day(9, dull), learned)).toEqual([]);
  });

  test.each([
    ['a clear day', clear],
    ['a dull day', dull],
    ['a day with a dull evening', (bucket: number) => (bucket < NOON ? 1 : 0.3)],
  ])('are weak where they give less than their own roof allows, on %s', (_name, light) => {
    const [reason] = weakOf(withNeighbours(day(9, light, { shares: [1, 0.58] }), light), learned);
    expect(reason).toMatchObject({ evidence: { string: 'String2', against: 'past' } });
  });

  test('are judged by dull light alone as long as only dull days are known, which do not tell on which roof they lie', () => {
    const learnedInDull = profileOf(dullDays);
    const fits = learnedInDull?.strings['A String1']?.planes ?? expect.fail('nothing learned');
    expect(likeliestPlane(fits, [east, west])).toMatchObject({ isSure: false });
    const brightMorning = (bucket: number) => (bucket < NOON ? 1 : 0.3);
    expect(weakOf(day(9, clear), learnedInDull)).toEqual([]);
    expect(weakOf(day(9, brightMorning), learnedInDull)).toEqual([]);
    expect(weakOf(withNeighbours(day(9, dull, { shares: [1, 0.58] }), dull), learnedInDull)).toHaveLength(1);
  });
});

test('strings whose planes were never entered are not held against one that is assumed', () => {
  const entered = [{ ratedW: 9_000, tiltDeg: 30, azimuthDeg: 180 }];
  const learned = profileOf(Array.from({ length: 8 }, (_, at) => day(at, clear, { entered })));
  const brightMorning = (bucket: number) => (bucket < NOON ? 1 : 0.02);
  const brightEvening = (bucket: number) => (bucket < NOON ? 0.02 : 1);
  for (const light of [brightMorning, brightEvening]) {
    expect(weakOf(withNeighbours(day(9, light, { entered }), light), learned)).toEqual([]);
  }
});

describe('the plane of a string', () => {
  const fits = [
    { miss: 0.02, kwp: 3 },
    { miss: 0.001, kwp: 4 },
  ];

  test('is the one with which it goes best', () => {
    expect(likeliestPlane(fits, [east, west])).toEqual({ array: 1, isSure: true });
    expect(likeliestPlane([], [east, west])).toBeUndefined();
  });

  test('is any of those that hardly differ', () => {
    const flatter = { ...east, tiltDeg: 30 };
    const alike = fits.map((fit) => ({ ...fit, miss: 0.001 }));
    expect(likeliestPlane(alike, [east, flatter])).toEqual({ array: 0, isSure: true });
    expect(likeliestPlane(alike, [east, west])).toEqual({ array: 0, isSure: false });
  });
});
