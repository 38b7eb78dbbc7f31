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

describe('how a string is told to lie on a roof', () => {
  const weakDay = withNeighbours(day(9, clear, { shares: [1, 0.58] }), clear);

  test('takes two days of sun: one alone can suit a roof by chance', () => {
    const dullFirst = dullDays.slice(0, 6);
    expect(weakOf(weakDay, profileOf([...dullFirst, day(6, clear)]))).toEqual([]);
    expect(weakOf(weakDay, profileOf([...dullFirst, day(6, clear), day(7, clear)]))).toHaveLength(1);
  });

  test('begins anew where days of sun were not noted', () => {
    const learned = profileOf(clearDays) ?? expect.fail('nothing learned');
    const former = Object.entries(learned.strings).map(([name, { clearDays: _, ...rest }]) => [name, rest] as const);
    expect(weakOf(weakDay, learned)).toHaveLength(1);
    expect(weakOf(weakDay, { ...learned, strings: Object.fromEntries(former) })).toEqual([]);
  });
});

describe('a string that gives nothing while its neighbour does', () => {
  const inDull = profileOf(dullDays) ?? expect.fail('nothing learned');
  const eastHours = [6, 7, 8, 9];
  const shadedEast = {
    ...inDull,
    hourRatios: inDull.hourRatios.map((_, hour) =>
      hour < 6 || hour > 17 ? [] : new Array<number>(5).fill(eastHours.includes(hour) ? 0.5 : 1),
    ),
  };
  /** Too warm for snow, under a light that does not tell which string lies on the east. */
  const seen = (eastShare: number) =>
    dayInsight({
      ...withNeighbours(day(9, clear, { shares: [eastShare, 1] }), clear),
      ambientC: new Float64Array(COUNT).fill(20),
      profile: shadedEast,
    });

  test('is not taken for shade on its roof, and teaches none', () => {
    const [shaded, open] = [seen(0.4), seen(0)];
    expect(shaded.reasons.map(({ kind }) => kind)).toContain('shade');
    expect(shaded.observation.hourRatios.some((ratio) => ratio !== null)).toBe(true);
    expect(open.reasons.map(({ kind }) => kind)).not.toContain('shade');
    expect(open.observation.hourRatios.every((ratio) => ratio === null)).toBe(true);
  });

  test('does not stand for shade where nothing ever hung at its input', () => {
    const strings = Object.entries(inDull.strings).map(([name, habit], at) => [name, { ...habit, part: at }]);
    const profile = { ...shadedEast, strings: Object.fromEntries(strings) };
    const unused = withNeighbours(day(9, clear, { shares: [0, 1] }), clear);
    const insight = dayInsight({ ...unused, ambientC: new Float64Array(COUNT).fill(20), profile });
    expect(insight.reasons.map(({ kind }) => kind)).toContain('shade');
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

  test('is its own as soon as another one goes with it visibly worse', () => {
    const close = [
      { miss: 0.008, kwp: 3 },
      { miss: 0.003, kwp: 4 },
    ];
    expect(likeliestPlane(close, [east, west])).toEqual({ array: 1, isSure: true });
  });

  test('is any of those that hardly differ', () => {
    const flatter = { ...east, tiltDeg: 30 };
    const alike = fits.map((fit) => ({ ...fit, miss: 0.001 }));
    expect(likeliestPlane(alike, [east, flatter])).toEqual({ array: 0, isSure: true });
    expect(likeliestPlane(alike, [east, west])).toEqual({ array: 0, isSure: false });
  });
});
