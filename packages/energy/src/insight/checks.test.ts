import { expect, test } from 'vitest';
import { checksOf, spanInLight } from './checks.ts';
import { expectedDay, skyDay } from './expected-power.ts';
import { BUCKET_MS, type PlantDay } from './plant-day.ts';
import type { RuledOut } from './reasons.ts';

const COUNT = 288;
const START = Date.UTC(2026, 5, 10);
const place = { latitude: 48.4, longitude: 11.7, altitudeM: 450 };
const expected =
  expectedDay(
    { place, arrays: [{ ratedW: 10_000, tiltDeg: 30, azimuthDeg: 180 }], ratedAcW: 9_000, commissionedMs: null },
    skyDay(place, START, COUNT),
  ) ?? expect.fail('no arrays');

/** Values told of the buckets before one of them. */
const toldUntil = (end: number) => Float64Array.from({ length: COUNT }, (_, at) => (at < end ? 100 : Number.NaN));

function day({ pv = COUNT, grid = COUNT, heard = COUNT }: { pv?: number; grid?: number; heard?: number }): PlantDay {
  return {
    startMs: START,
    kwp: 10,
    expected,
    pvW: toldUntil(pv),
    gridW: toldUntil(grid),
    loadW: toldUntil(0),
    batteryW: toldUntil(0),
    battery: null,
    inverters: [
      {
        key: 'A',
        ratedAcW: 9_000,
        kwp: 10,
        heard: new Uint8Array(COUNT).fill(1, 0, heard),
        acW: toldUntil(pv),
        dcW: toldUntil(pv),
        strings: [],
      },
    ],
    alarms: [],
    exportLimitW: null,
    sensor: null,
    ambientC: null,
    neighbours: null,
    profile: null,
  };
}

const ruledOut: RuledOut[] = (
  [
    ['offline', 'silent-share'],
    ['alarm', 'alarms'],
    ['standstill', 'standstill-hours'],
    ['clipping', 'clipped-share'],
    ['export-limit', 'limited-share'],
    ['meter-wrong', 'night-export-hours'],
  ] as const
).map(([kind, measure]) => ({ kind, measure, value: 0, bound: 1 }));
const uncheckedOf = (each: PlantDay) => checksOf(each, ruledOut).unchecked;

/** Solar noon of the place is at 11:13 UTC. */
const MORNING = 120;
const EVENING = 200;

test('what speaks against a reason counts where it rests on values of half of the light', () => {
  expect(uncheckedOf(day({}))).toEqual([]);
  expect(uncheckedOf(day({ pv: EVENING }))).toEqual([]);
  expect(uncheckedOf(day({ pv: MORNING, heard: MORNING }))).toEqual([
    'alarm',
    'standstill',
    'clipping',
    'export-limit',
  ]);
  expect(uncheckedOf(day({ pv: MORNING }))).toEqual(['clipping', 'export-limit']);
});

test('the meter is checked by its nights, the limit of feeding in by its days', () => {
  expect(uncheckedOf(day({ grid: 0 }))).toEqual(['export-limit', 'meter-wrong']);
  const byNight = Float64Array.from({ length: COUNT }, (_, at) => ((expected.clearW[at] ?? 0) > 0 ? Number.NaN : 100));
  expect(uncheckedOf({ ...day({}), gridW: byNight })).toEqual(['export-limit']);
});

test('before the sun is up nothing is checked that needs it', () => {
  const early = { ...day({}), pvW: new Float64Array(24), gridW: new Float64Array(24) };
  const { hasBegun, held } = checksOf(early, ruledOut);
  expect(hasBegun).toBe(false);
  expect(held.map(({ measure }) => measure)).toEqual(['night-export-hours']);
});

test('a span is cut to the light, and is the whole day where it covers it', () => {
  const endMs = START + COUNT * BUCKET_MS;
  const all = spanInLight(day({}), { fromMs: START, untilMs: endMs });
  expect(all?.isWhole).toBe(true);
  expect(all?.fromMs).toBeGreaterThan(START + 2 * 3_600_000);
  expect(all?.untilMs).toBeLessThan(endMs - 2 * 3_600_000);
  const noonMs = START + 12 * 3_600_000;
  expect(spanInLight(day({}), { fromMs: noonMs, untilMs: endMs })).toMatchObject({ fromMs: noonMs, isWhole: false });
  expect(spanInLight(day({}), { fromMs: START, untilMs: START + 3_600_000 })).toBeUndefined();
});
