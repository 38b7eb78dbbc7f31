import { explainKink } from '@sonnenwarte/energy/kinks/explain-kink';
import { findKinks, type Kink, lossOf } from '@sonnenwarte/energy/kinks/find-kinks';
import type { KinkEvidence } from '@sonnenwarte/energy/kinks/kink-evidence';
import { clearSky, dayOfYear, extraterrestrialNormalWm2, hayDaviesPlane } from '@sonnenwarte/energy/physics/irradiance';
import { faimanTemperatureC, pvWattsDcW } from '@sonnenwarte/energy/physics/module';
import { sunPosition } from '@sonnenwarte/energy/physics/sun';
import { describe, expect, test } from 'vitest';
import { FaultBoard, type FaultName } from '../faults.ts';
import type { FleetPlant } from '../fleet.ts';
import { samplePlant } from '../testing/sample-plant.ts';
import { Plant } from './plant.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const BUCKET_MS = 5 * MINUTE_MS;
const BUCKETS = DAY_MS / BUCKET_MS;
/** The simulated sky of a clear day sways by a few percent. */
const LEAST_CLEAR = 0.9;

/** Power of the plant's arrays under a clear sky, W, as the server draws it. */
function clearW(plant: FleetPlant, startMs: number): number[] {
  return Array.from({ length: BUCKETS }, (_, at) => {
    const tsMs = startMs + (at + 0.5) * BUCKET_MS;
    const sun = sunPosition(tsMs, plant.latitude, plant.longitude);
    if (sun.apparentElevationDeg <= 0) return 0;
    const outsideWm2 = extraterrestrialNormalWm2(dayOfYear(tsMs));
    const sky = clearSky(sun.apparentElevationDeg, plant.altitudeM, 3, outsideWm2);
    return plant.arrays.reduce((sum, { kwp, inclinationDeg, azimuthDeg }) => {
      const plane = { tiltDeg: inclinationDeg, azimuthDeg };
      const zenithDeg = 90 - sun.apparentElevationDeg;
      const { totalWm2 } = hayDaviesPlane(sky, zenithDeg, sun.azimuthDeg, plane, outsideWm2);
      const rating = { ratedW: kwp * 1_000, gammaPerK: -0.0035, lossFraction: 0.1 };
      return sum + pvWattsDcW(rating, totalWm2, faimanTemperatureC(totalWm2, 20, 1));
    }, 0);
  });
}

interface Told {
  curve: Parameters<typeof findKinks>[0];
  evidence: KinkEvidence;
  /** Least share of the clear sky's light between nine and fifteen o'clock by the sun. */
  clearness: number;
}

/** A day of a plant in five-minute means, as its devices tell it. */
function dayOf(fleetPlant: FleetPlant, startMs: number, faults = new FaultBoard()): Told {
  const plant = new Plant(fleetPlant, startMs, faults);
  const empty = () => new Array<number | null>(BUCKETS).fill(null);
  const [pvW, gridW, batteryW, socPercent] = [empty(), empty(), empty(), empty()];
  const inverters = plant.inverters.map(({ device }) => ({
    device: device.sn,
    ratedW: device.ratedPowerW,
    pvW: empty(),
    strings: device.params.mppts.flatMap(({ strings }) => Array.from({ length: strings }, empty)),
  }));
  let clearness = 1;
  for (let at = 0; at < BUCKETS; at += 1) {
    const mean = new Map<(number | null)[], number>();
    const add = (series: (number | null)[], value: number) => mean.set(series, (mean.get(series) ?? 0) + value / 5);
    for (let minute = 1; minute <= 5; minute += 1) {
      plant.advanceTo(startMs + at * BUCKET_MS + minute * MINUTE_MS);
      add(pvW, plant.powers.pvW);
      add(gridW, plant.powers.gridW);
      add(batteryW, plant.powers.batteryW);
      if (plant.conditions.elevationDeg > 25) clearness = Math.min(clearness, plant.conditions.clearness);
      for (const [place, unit] of plant.inverters.entries()) {
        const told = inverters[place];
        if (told === undefined) continue;
        add(told.pvW, unit.pvAcW);
        for (const [n, amps] of unit.mppts.flatMap(({ stringsA }) => stringsA).entries()) {
          const series = told.strings[n];
          if (series !== undefined) add(series, amps);
        }
      }
      const [storage] = plant.storages;
      if (storage !== undefined) add(socPercent, storage.socPercent);
    }
    for (const [series, value] of mean) series[at] = value;
  }
  const times = Array.from({ length: BUCKETS }, (_, at) => startMs + at * BUCKET_MS);
  const alarms = new Map(
    times.flatMap((tsMs) =>
      faults.alarms(tsMs).map(({ device, code, level, sinceMs }) => {
        const alarm = { device, code, level, fromMs: sinceMs, untilMs: null };
        return [`${device} ${code}`, alarm] as const;
      }),
    ),
  );
  const clear = clearW(fleetPlant, startMs);
  return {
    clearness,
    curve: {
      startMs,
      bucketMs: BUCKET_MS,
      pvW,
      gridW,
      clearW: clear,
      mostW: Number.POSITIVE_INFINITY,
      untilMs: startMs + DAY_MS,
    },
    evidence: {
      startMs,
      bucketMs: BUCKET_MS,
      pvW,
      clearW: clear,
      gridW,
      batteryW,
      socPercent: plant.storages.length === 0 ? empty() : socPercent,
      inverters: inverters.map(({ strings, ...inverter }) => ({
        ...inverter,
        strings: strings.map((values, place) => ({ kind: 'string' as const, n: place + 1, values })),
      })),
      irradianceWm2: null,
      alarms: [...alarms.values()],
      changes: [],
      neighbours: [],
    },
  };
}

/** A day without clouds, in the middle of the year of the plant's place; local midnight by the sun. */
function clearDay(key: string, change: Partial<FleetPlant> = {}) {
  const plant = samplePlant(key, change);
  const first = Date.UTC(2026, plant.latitude < 0 ? 0 : 5, 1) - Math.round(plant.longitude / 15) * HOUR_MS;
  for (let day = 0; day < 60; day += 1) {
    const startMs = first + day * DAY_MS;
    if (dayOf(plant, startMs).clearness > LEAST_CLEAR) return { plant, startMs };
  }
  throw new Error(`${key} has no clear day`);
}

const noonOf = (startMs: number): number => startMs + 12 * HOUR_MS;

function withFault(
  key: string,
  name: FaultName,
  { string = 1, minutes = 60, change = {} as Partial<FleetPlant> } = {},
) {
  const { plant, startMs } = clearDay(key, change);
  const faults = new FaultBoard();
  const [inverter] = plant.loggers.flatMap(({ devices }) => devices).filter(({ kind }) => kind === 'inverter');
  faults.inject(inverter?.sn ?? '', name, noonOf(startMs), minutes * MINUTE_MS, string);
  const told = dayOf(plant, startMs, faults);
  return { ...told, kinks: findKinks(told.curve), startMs, device: inverter?.sn ?? '' };
}

const explained = (kink: Kink | undefined, evidence: KinkEvidence) =>
  kink === undefined ? [] : explainKink(kink, evidence);

describe('a clear day', () => {
  test.each(['lindenblick', 'ulivo', 'valdeluz', 'karoo', 'red-gum'])(
    'of %s has no drops: neither dawn nor dusk is one',
    (key) => {
      const { plant, startMs } = clearDay(key);
      const told = dayOf(plant, startMs);
      expect(findKinks(told.curve).filter(({ shape }) => shape === 'fall')).toEqual([]);
      expect(findKinks({ ...told.curve, clearW: null }).filter(({ shape }) => shape === 'fall')).toEqual([]);
    },
  );
});

describe('a fault at noon', () => {
  test('of one string is a fall that ends with it, and that string against its neighbour is the reason', () => {
    const { kinks, evidence, startMs, device } = withFault('lindenblick', 'string-open');
    expect(kinks).toHaveLength(1);
    const [kink] = kinks;
    expect(kink).toMatchObject({ shape: 'fall', recovers: true, fromMs: noonOf(startMs) });
    expect(Math.abs((kink?.toMs ?? 0) - noonOf(startMs) - HOUR_MS)).toBeLessThanOrEqual(BUCKET_MS);
    const [cause] = explained(kink, evidence);
    expect(cause).toMatchObject({
      kind: 'string',
      evidence: { device, n: 1, percent: 0, other: { n: 2 }, code: 2007 },
    });
    expect(cause?.kind === 'string' && Math.abs(cause.evidence.other.percent - 100)).toBeLessThan(10);
  });

  test('of a weak string is told by how much it fell, without the alarm too', () => {
    const { kinks, evidence } = withFault('lindenblick', 'string-weak');
    const [cause] = explained(kinks[0], { ...evidence, alarms: [] });
    expect(cause).toMatchObject({ kind: 'string', evidence: { n: 1, code: null } });
    expect(cause?.kind === 'string' && cause.evidence.percent).toBeGreaterThan(50);
    expect(cause?.kind === 'string' && cause.evidence.percent).toBeLessThan(66);
  });

  test('costs what the day without it had more, to a few percent', () => {
    const { plant, startMs } = clearDay('lindenblick');
    const healthy = dayOf(plant, startMs);
    const { kinks, curve } = withFault('lindenblick', 'string-open');
    const whOf = (series: readonly (number | null)[]) =>
      series.reduce<number>((sum, watts) => sum + (watts ?? 0) / 12, 0);
    const missingWh = whOf(healthy.curve.pvW) - whOf(curve.pvW);
    expect(lossOf(kinks[0] as Kink) / missingWh).toBeGreaterThan(0.95);
    expect(lossOf(kinks[0] as Kink) / missingWh).toBeLessThan(1.05);
  });

  test('of the grid is its alarm, with nothing given meanwhile', () => {
    const { kinks, evidence, device } = withFault('lindenblick', 'grid-over-voltage', { minutes: 30 });
    expect(kinks).toHaveLength(1);
    expect(explained(kinks[0], evidence)[0]).toMatchObject({ kind: 'alarm', evidence: { device, code: 1001 } });
    expect(explained(kinks[0], { ...evidence, alarms: [] })[0]?.kind).toBe('standstill');
  });

  test('of one inverter among several names it', () => {
    const { kinks, evidence, device } = withFault('livada', 'insulation-low');
    const causes = explained(kinks[0], { ...evidence, alarms: [] });
    expect(causes[0]).toMatchObject({ kind: 'inverter', evidence: { device } });
  });
});

test('a flat top at the rating is clipping', () => {
  const { plant, startMs } = clearDay('lindenblick');
  const small = structuredClone(plant);
  small.ratedPowerW = 5_000;
  for (const device of small.loggers.flatMap(({ devices }) => devices)) {
    if (device.kind === 'inverter') device.ratedPowerW = 5_000;
  }
  const { curve, evidence } = dayOf(small, startMs);
  const flat = findKinks(curve).filter(({ shape }) => shape === 'flat');
  expect(flat).toHaveLength(1);
  expect((flat[0]?.toMs ?? 0) - (flat[0]?.fromMs ?? 0)).toBeGreaterThan(2 * HOUR_MS);
  expect(explained(flat[0], evidence)[0]).toEqual({
    kind: 'clipping',
    evidence: { ratedW: 5_000 },
    confidence: expect.any(Number),
  });
});

test('feed-in at its limit is told with the limit, and with the full battery that led to it', () => {
  const { plant, startMs } = clearDay('lindenblick');
  const limited = structuredClone(plant);
  limited.settings.exportLimitW = 2_000;
  const { curve, evidence } = dayOf(limited, startMs);
  const kinks = findKinks(curve);
  expect(kinks.length).toBeGreaterThan(0);
  const kinds = kinks.map((kink) => explained(kink, evidence)[0]);
  expect(kinds.some((cause) => cause?.kind === 'battery-full' && Math.abs(cause.evidence.limitW - 2_000) < 20)).toBe(
    true,
  );
  const withoutBattery = { ...evidence, socPercent: evidence.socPercent.map(() => null) };
  expect(kinks.map((kink) => explained(kink, withoutBattery)[0]?.kind)).toContain('export-limit');
});

describe('clouds', () => {
  /** The day with the most kinks of the shape of clouds. */
  function cloudyDay() {
    const plant = samplePlant('livada');
    const first = Date.UTC(2026, 5, 1) - 2 * HOUR_MS;
    for (let day = 0; day < 30; day += 1) {
      const told = dayOf(plant, first + day * DAY_MS);
      const kinks = findKinks(told.curve).filter(({ shape }) => shape === 'fall');
      if (kinks.length >= 2) return { ...told, kinks };
    }
    throw new Error('no cloudy day');
  }

  test('are said where all inverters fell alike, and a string or an inverter is never blamed for them', () => {
    const { kinks, evidence } = cloudyDay();
    const kinds = kinks.map((kink) => explained(kink, evidence)[0]?.kind);
    expect(kinds).toContain('cloud');
    expect(kinds.filter((kind) => kind === 'string' || kind === 'inverter' || kind === 'clipping')).toEqual([]);
  });

  test('are borne out by five neighbours that fell too, and not said where these did not fall', () => {
    const { kinks, evidence, curve } = cloudyDay();
    const [kink] = kinks.filter((each) => explained(each, evidence)[0]?.kind === 'cloud');
    const fell = Array.from({ length: 5 }, (_, place) =>
      curve.pvW.map((watts) => (watts === null ? null : watts * (place + 1))),
    );
    expect(explained(kink, { ...evidence, neighbours: fell })[0]).toMatchObject({
      kind: 'cloud',
      evidence: { by: 'neighbours', count: 5 },
    });
    const steady = fell.map((series) => series.map(() => 1_000));
    expect(explained(kink, { ...evidence, neighbours: steady })).toEqual([]);
    expect(explained(kink, { ...evidence, neighbours: steady.slice(1) })[0]?.kind).toBe('cloud');
  });
});

test('a silent datalogger leaves a gap, with the devices that were not heard, and no energy is said of it', () => {
  const { plant, startMs } = clearDay('lindenblick');
  const { curve, evidence } = dayOf(plant, startMs);
  const silent = <T>(series: readonly T[]) => series.map((value, at) => (at >= 144 && at < 156 ? null : value));
  const kinks = findKinks({ ...curve, pvW: silent(curve.pvW) });
  expect(kinks).toHaveLength(1);
  expect(kinks[0]).toMatchObject({
    shape: 'gap',
    fromMs: noonOf(startMs),
    toMs: noonOf(startMs) + HOUR_MS,
    lostWh: [],
  });
  const unheard = { ...evidence, inverters: evidence.inverters.map((each) => ({ ...each, pvW: silent(each.pvW) })) };
  const devices = evidence.inverters.map(({ device }) => device);
  expect(explained(kinks[0], unheard)[0]).toMatchObject({ kind: 'gap', evidence: { devices } });
});
