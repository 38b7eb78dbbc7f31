import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  arrayPowerW,
  clearnessOf,
  clearnessOfPlane,
  expectedDay,
  type PlantModel,
  planeOfDcWm2,
  powerAtClearness,
  SkyCache,
  skyDay,
} from './expected-power.ts';
import { choosePeers, peerReference } from './peers.ts';
import { BUCKET_MS } from './plant-day.ts';

const COUNT = 288;
const START = Date.UTC(2026, 3, 20);
const place = { latitude: 48.4, longitude: 11.7, altitudeM: 450 };

function model(change: Partial<PlantModel> = {}): PlantModel {
  return {
    place,
    arrays: [
      { ratedW: 6_000, tiltDeg: 30, azimuthDeg: 150 },
      { ratedW: 4_000, tiltDeg: 20, azimuthDeg: 240 },
    ],
    ratedAcW: 9_000,
    commissionedMs: null,
    ...change,
  };
}

function made(change: Partial<PlantModel> = {}, startMs = START) {
  const wanted = model(change);
  return expectedDay(wanted, skyDay(wanted.place, startMs, COUNT)) ?? expect.fail('no arrays');
}

const series = (value: number) => new Float64Array(COUNT).fill(value);
const totalOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

interface PvlibClearSky {
  vectors: {
    place: string;
    altitude_m: number;
    utc: string;
    linkeTurbidity: number;
    apparentZenith: number;
    poaTilt30Az180HayDaviesAlbedo02?: { global_: number };
  }[];
}

describe('a clear day', () => {
  test('has the plane irradiance that pvlib gives, within 3 %', () => {
    const path = fileURLToPath(new URL('../../../../../shared/data/pv/clearsky-pvlib.json', import.meta.url));
    if (!existsSync(path)) {
      console.info('Reference values clearsky-pvlib.json are not here: not compared.');
      return;
    }
    const { vectors } = JSON.parse(readFileSync(path, 'utf8')) as PvlibClearSky;
    const places: Record<string, [latitude: number, longitude: number]> = {
      Berlin: [52.52, 13.405],
      Munich: [48.137, 11.575],
    };
    let compared = 0;
    for (const vector of vectors) {
      const wanted = vector.poaTilt30Az180HayDaviesAlbedo02?.global_;
      const at = places[vector.place];
      // Within a few degrees of the horizon the bucket's width is worth more than 3 %.
      if (wanted === undefined || at === undefined || vector.apparentZenith > 82) continue;
      const here = { latitude: at[0], longitude: at[1], altitudeM: vector.altitude_m };
      const startMs = Date.parse(vector.utc) - BUCKET_MS / 2;
      const plain: PlantModel = {
        place: here,
        arrays: [{ ratedW: 1_000, tiltDeg: 30, azimuthDeg: 180 }],
        ratedAcW: null,
        commissionedMs: null,
      };
      const expected = expectedDay(plain, skyDay(here, startMs, 1, vector.linkeTurbidity)) ?? expect.fail('no arrays');
      const planeWm2 = planeOfDcWm2(expected, 0, arrayPowerW(expected, 0, 0, 1));
      expect(Math.abs(planeWm2 / wanted - 1), `${vector.place} ${vector.utc}`).toBeLessThan(0.03);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(5);
  });

  test('offers as much to a small inverter as to one that is large enough', () => {
    const potentialAt = (ratedAcW: number) => totalOf(powerAtClearness(made({ ratedAcW }), series(1)).potentialW);
    expect(potentialAt(4_000) / potentialAt(10_000)).toBeCloseTo(1, 2);
  });

  test('never passes the rating, is nought by night, and loses half a percent a year', () => {
    const { clearW, sky } = made({ ratedAcW: 5_000 });
    expect(Math.max(...clearW)).toBe(5_000);
    clearW.forEach((powerW, at) => {
      if ((sky.zenithDeg[at] as number) >= 90) expect(powerW).toBe(0);
    });
    const tenYears = made({ ratedAcW: null, commissionedMs: START - 10 * 365.25 * 86_400_000 });
    expect(totalOf(tenYears.clearW) / totalOf(made({ ratedAcW: null }).clearW)).toBeCloseTo(0.95, 2);
  });

  test('leaves planes that face away in the dark, a dull one does not: it has no side from which the light comes', () => {
    const facing = (azimuthDeg: number) =>
      made({ arrays: [{ ratedW: 1_000, tiltDeg: 35, azimuthDeg }], ratedAcW: null }, Date.UTC(2026, 0, 20));
    const energyAt = (azimuthDeg: number, clearness: number) =>
      totalOf(powerAtClearness(facing(azimuthDeg), series(clearness)).expectedW);
    expect(energyAt(0, 1) / energyAt(180, 1)).toBeLessThan(0.25);
    expect(energyAt(0, 0.15) / energyAt(180, 0.15)).toBeGreaterThan(0.9);
  });

  test('is known of no plant without arrays', () => {
    expect(expectedDay(model({ arrays: [] }), skyDay(place, START, COUNT))).toBeNull();
  });

  test('of a place nearby is the same sky', () => {
    const cache = new SkyCache(2);
    const sky = cache.of(place, START, COUNT);
    expect(cache.of({ ...place, latitude: 48.42 }, START, COUNT)).toBe(sky);
    cache.of({ ...place, latitude: 50 }, START, COUNT);
    cache.of({ ...place, latitude: 51 }, START, COUNT);
    expect(cache.of(place, START, COUNT)).not.toBe(sky);
  });
});

describe('light and power', () => {
  test('are each other inverse below the rating', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.25, max: 1.1, noNaN: true }),
        fc.double({ min: 0.8, max: 1.1, noNaN: true }),
        (light, level) => {
          const expected = made({ ratedAcW: 20_000 });
          const { expectedW } = powerAtClearness(expected, series(light), { level });
          const found = clearnessOf(expected, expectedW, level);
          found.forEach((value, at) => {
            if (!Number.isNaN(value) && (expected.sky.zenithDeg[at] as number) < 66)
              expect(Math.abs(value - light)).toBeLessThan(0.02);
          });
          expect(found.some((value) => !Number.isNaN(value))).toBe(true);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('a sensor in the plane of one array tells the light of all', () => {
    const expected = made();
    const planeWm2 = Float64Array.from({ length: COUNT }, (_, at) =>
      planeOfDcWm2(expected, 1, arrayPowerW(expected, 1, at, 0.6)),
    );
    const found = clearnessOfPlane(expected, planeWm2, 1);
    expect(found[140]).toBeCloseTo(0.6, 6);
    expect(found[0]).toBeNaN();
  });

  test('at the rating the power says nothing of the light', () => {
    const expected = made({ ratedAcW: 3_000 });
    expect(clearnessOf(expected, expected.clearW)[140]).toBeNaN();
  });

  test('warmer modules give less, by 0.35 % a kelvin', () => {
    const expected = made({ ratedAcW: null });
    const at = (moduleC: number) =>
      powerAtClearness(expected, series(0.7), { moduleC: series(moduleC) }).expectedW[140] as number;
    expect(at(55) / at(25)).toBeCloseTo(1 - 30 * 0.0035, 2);
  });
});

describe('neighbours', () => {
  const at = (km: number, altitudeM = 450) => ({
    id: km,
    latitude: place.latitude + km / 111.2,
    longitude: place.longitude,
    altitudeM,
  });

  test('are the nearest twenty within 50 km, else of the same climate, and never fewer than five', () => {
    const near = Array.from({ length: 30 }, (_, index) => at(index + 1));
    const chosen = choosePeers(place, near) ?? expect.fail('none');
    expect(chosen.basis).toBe('near');
    expect(chosen.peers.map(({ peer }) => peer.id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(choosePeers(place, [at(10), at(20), at(120), at(180), at(240)])?.basis).toBe('climate');
    expect(choosePeers(place, [at(10), at(20), at(120), at(180), at(260)])).toBeNull();
    expect(choosePeers(place, [at(10), at(20), at(120), at(180), at(240, 1_200)])).toBeNull();
  });

  test('a third of them sick changes the median by less than a hundredth', () => {
    const healthy = Array.from({ length: 8 }, (_, index) => series(0.6 + index / 1_000));
    const sick = [series(0), series(0.3), series(0.1), series(0.05)];
    const reference = peerReference([...healthy, ...sick]) ?? expect.fail('none');
    expect(Math.abs((reference.clearness[100] as number) - 0.6035)).toBeLessThan(0.006);
    expect(reference).toMatchObject({ peers: 8, leftOut: 4 });
  });

  test('fewer than five that tell are none', () => {
    const silent = series(Number.NaN);
    expect(peerReference([series(0.5), series(0.5), series(0.5), series(0.5), silent])).toBeNull();
    expect(peerReference([])).toBeNull();
  });

  test('planes of any direction agree on the light', () => {
    const light = series(0.55);
    const curves = [120, 150, 180, 210, 240].map((azimuthDeg) => {
      const expected = made({ arrays: [{ ratedW: 8_000, tiltDeg: 25, azimuthDeg }], ratedAcW: 12_000 });
      return clearnessOf(expected, powerAtClearness(expected, light).expectedW);
    });
    expect(peerReference(curves)?.clearness[140]).toBeCloseTo(0.55, 2);
  });
});
