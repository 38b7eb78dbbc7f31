import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  absoluteAirmass,
  extraterrestrialNormalWm2,
  haurwitzGhiWm2,
  hayDaviesPlane,
  ineichenClearSky,
  relativeAirmass,
} from './irradiance.ts';
import { faimanTemperatureC } from './module.ts';
import type { DiodeParameters, ModuleReference } from './single-diode.ts';
import {
  currentAtDiodeVoltage,
  currentAtVoltage,
  deSotoParameters,
  keyPoints,
  voltageAtCurrent,
} from './single-diode.ts';
import { sunPosition } from './sun.ts';

const FOLDER = new URL('../../../../../shared/data/pv/', import.meta.url);

/** A clone elsewhere does not have these files: then one line says so and nothing is compared. */
function withReference<Data>(fileName: string, assertions: (data: Data) => void): void {
  const path = fileURLToPath(new URL(fileName, FOLDER));
  if (!existsSync(path)) {
    console.info(`Reference values ${fileName} are not here: not compared.`);
    return;
  }
  assertions(JSON.parse(readFileSync(path, 'utf8')) as Data);
}

function expectWithin(actual: number, wanted: number, tolerance: number): void {
  expect(Math.abs(actual - wanted), `${actual} against ${wanted}`).toBeLessThanOrEqual(tolerance);
}

/** Difference of two azimuths over north, degrees. */
function turnDeg(a: number, b: number): number {
  return Math.abs(((a - b + 540) % 360) - 180);
}

interface PvlibModule {
  alpha_sc: number;
  a_ref: number;
  I_L_ref: number;
  I_o_ref: number;
  R_s: number;
  R_sh_ref: number;
}

function moduleOf(parameters: PvlibModule): ModuleReference {
  return {
    lightCurrentA: parameters.I_L_ref,
    saturationCurrentA: parameters.I_o_ref,
    seriesOhm: parameters.R_s,
    shuntOhm: parameters.R_sh_ref,
    idealityV: parameters.a_ref,
    alphaAPerK: parameters.alpha_sc,
  };
}

describe('sun', () => {
  test('geometric elevation and azimuth agree with the SPA within 0.02 degrees', () => {
    interface Spa {
      positions: { lat: number; lon: number; utc: string; elevation: number; azimuth: number }[];
    }
    withReference<Spa>('sun-spa-pvlib.json', ({ positions }) => {
      expect(positions.length).toBeGreaterThan(100);
      for (const { lat, lon, utc, elevation, azimuth } of positions) {
        const position = sunPosition(Date.parse(utc), lat, lon);
        expectWithin(position.elevationDeg, elevation, 0.02);
        // Near the zenith a small arc is a wide turn.
        expectWithin(turnDeg(position.azimuthDeg, azimuth) * Math.cos((elevation * Math.PI) / 180), 0, 0.02);
      }
    });
  });

  test('apparent elevation agrees with JPL Horizons', () => {
    interface Horizons {
      positions: { lat: number; lon: number; utc: string; azimuth_deg: number; apparentElevation_deg: number }[];
    }
    withReference<Horizons>('sun-jpl-horizons-usno.json', ({ positions }) => {
      expect(positions.length).toBeGreaterThan(100);
      for (const { lat, lon, utc, azimuth_deg, apparentElevation_deg } of positions) {
        const position = sunPosition(Date.parse(utc), lat, lon);
        if (apparentElevation_deg > 0) expectWithin(position.apparentElevationDeg, apparentElevation_deg, 0.25);
        expectWithin(turnDeg(position.azimuthDeg, azimuth_deg), 0, 0.05);
      }
    });
  });
});

describe('clear sky', () => {
  interface ClearSky {
    vectors: {
      altitude_m: number;
      utc: string;
      linkeTurbidity: number;
      apparentZenith: number;
      azimuth: number;
      /** Null under the horizon. */
      relativeAirmassKastenYoung: number | null;
      absoluteAirmass: number | null;
      dniExtraSpencer: number;
      ineichen: { ghi: number; dni: number; dhi: number };
      haurwitzGhi: number;
      poaTilt30Az180HayDaviesAlbedo02: { global_: number; direct: number; skyDiffuse: number; ground: number };
    }[];
  }

  test('air mass, extraterrestrial, Ineichen, Haurwitz and Hay-Davies agree with pvlib', () => {
    withReference<ClearSky>('clearsky-pvlib.json', ({ vectors }) => {
      expect(vectors.length).toBeGreaterThan(100);
      for (const vector of vectors) {
        const { apparentZenith, altitude_m, dniExtraSpencer, ineichen } = vector;
        const day = Math.floor(
          (Date.parse(vector.utc) - Date.parse(`${vector.utc.slice(0, 4)}-01-01T00:00Z`)) / 86_400_000,
        );
        expectWithin(extraterrestrialNormalWm2(day + 1, 1366.1), dniExtraSpencer, 0.01);
        const relative = relativeAirmass(apparentZenith);
        if (vector.relativeAirmassKastenYoung === null || vector.absoluteAirmass === null) {
          expect(relative).toBeNaN();
          expect(ineichenClearSky(apparentZenith, relative, 3, altitude_m, dniExtraSpencer).ghiWm2).toBe(0);
          continue;
        }
        expectWithin(relative, vector.relativeAirmassKastenYoung, 1e-4);
        expectWithin(haurwitzGhiWm2(apparentZenith), vector.haurwitzGhi, 0.03);
        // The reference takes the pressure of the standard atmosphere, which differs a little from a fixed scale height.
        const airmass = vector.absoluteAirmass;
        expectWithin(absoluteAirmass(relative, altitude_m), airmass, 6e-3 * airmass);
        const sky = ineichenClearSky(apparentZenith, airmass, vector.linkeTurbidity, altitude_m, dniExtraSpencer);
        expectWithin(sky.ghiWm2, ineichen.ghi, 0.03 + 1e-4 * ineichen.ghi);
        expectWithin(sky.dniWm2, ineichen.dni, 0.03 + 1e-4 * ineichen.dni);
        expectWithin(sky.dhiWm2, ineichen.dhi, 0.03 + 1e-4 * ineichen.dhi);
        const plane = hayDaviesPlane(
          sky,
          apparentZenith,
          vector.azimuth,
          { tiltDeg: 30, azimuthDeg: 180 },
          dniExtraSpencer,
        );
        const wanted = vector.poaTilt30Az180HayDaviesAlbedo02;
        expectWithin(plane.totalWm2, wanted.global_, 0.05 + 2e-4 * wanted.global_);
        expectWithin(plane.directWm2, wanted.direct, 0.05 + 2e-4 * wanted.direct);
        expectWithin(plane.skyWm2, wanted.skyDiffuse, 0.05 + 2e-4 * wanted.skyDiffuse);
        expectWithin(plane.groundWm2, wanted.ground, 0.03);
      }
    });
  });

  test('Haurwitz and Faiman agree with the published vectors', () => {
    interface Published {
      haurwitz: { apparentElevation: number[]; ghi: number[] };
      cellTemperature: { faiman: { poa: number; tair: number; wind: number; tmodule: number } };
    }
    withReference<Published>('pvlib-published-vectors.json', ({ haurwitz, cellTemperature: { faiman } }) => {
      haurwitz.apparentElevation.forEach((elevation, index) => {
        const wanted = haurwitz.ghi[index] ?? Number.NaN;
        expectWithin(haurwitzGhiWm2(90 - elevation), wanted, 1e-5 * wanted + 1e-9);
      });
      expectWithin(faimanTemperatureC(faiman.poa, faiman.tair, faiman.wind), faiman.tmodule, 0.001);
    });
  });
});

describe('single diode', () => {
  test('De Soto translation, key points and the published example agree with pvlib', () => {
    interface Published {
      calcparamsDesoto: {
        module: PvlibModule;
        cases: { G: number; T: number; IL: number; I0: number; Rsh: number; nNsVth: number }[];
      };
      singlediode: {
        in_: { IL: number; I0: number; Rs: number; Rsh: number; nNsVth: number };
        out: { i_sc: number; v_oc: number; i_mp: number; v_mp: number; p_mp: number };
      };
      ivKeyPoints: {
        modules: Record<string, PvlibModule>;
        rows: { module: string; G: number; T: number; desoto: Published['singlediode']['out'] }[];
      };
    }
    withReference<Published>('pvlib-published-vectors.json', ({ calcparamsDesoto, singlediode, ivKeyPoints }) => {
      for (const { G, T, IL, I0, Rsh, nNsVth } of calcparamsDesoto.cases) {
        const parameters = deSotoParameters(moduleOf(calcparamsDesoto.module), G, T);
        expectWithin(parameters.lightCurrentA, IL, 1e-9);
        expectWithin(parameters.saturationCurrentA, I0, 1e-6 * I0);
        expectWithin(parameters.shuntOhm, Rsh, 1e-9);
        expectWithin(parameters.idealityV, nNsVth, 1e-9);
      }
      const { in_, out } = singlediode;
      const points = keyPoints({
        lightCurrentA: in_.IL,
        saturationCurrentA: in_.I0,
        seriesOhm: in_.Rs,
        shuntOhm: in_.Rsh,
        idealityV: in_.nNsVth,
      });
      expectWithin(points.iscA, out.i_sc, 1e-6);
      expectWithin(points.vocV, out.v_oc, 1e-6);
      expectWithin(points.pmpW, out.p_mp, 1e-6);
      expect(ivKeyPoints.rows.length).toBeGreaterThan(3);
      for (const { module, G, T, desoto } of ivKeyPoints.rows) {
        const found = keyPoints(deSotoParameters(moduleOf(ivKeyPoints.modules[module] as PvlibModule), G, T));
        expectWithin(found.iscA, desoto.i_sc, 1e-7);
        expectWithin(found.vocV, desoto.v_oc, 1e-6);
        expectWithin(found.pmpW, desoto.p_mp, 1e-6);
        expectWithin(found.vmpV, desoto.v_mp, 1e-3);
      }
    });
  });

  test('currents, voltages and key points agree with solutions of high precision', () => {
    interface Precise {
      tolerances: { i_sc: number; v_oc: number; i_from_v: number; v_mp: number; p_mp: number };
      curves: {
        photocurrent_A: number;
        saturationCurrent_A: number;
        seriesResistance_ohm: number;
        shuntResistance_ohm: number;
        nNsVth_V: number;
        v_oc: number;
        i_sc: number;
        p_mp: number;
        v_mp: number;
        v: number[];
        i: number[];
      }[];
    }
    withReference<Precise>('sde-precise-case1-csi72.json', ({ tolerances, curves }) => {
      expect(curves.length).toBeGreaterThan(10);
      for (const curve of curves) {
        const parameters: DiodeParameters = {
          lightCurrentA: curve.photocurrent_A,
          saturationCurrentA: curve.saturationCurrent_A,
          seriesOhm: curve.seriesResistance_ohm,
          shuntOhm: curve.shuntResistance_ohm,
          idealityV: curve.nNsVth_V,
        };
        const points = keyPoints(parameters);
        expectWithin(points.iscA, curve.i_sc, tolerances.i_sc);
        expectWithin(points.vocV, curve.v_oc, tolerances.v_oc);
        expectWithin(points.pmpW, curve.p_mp, tolerances.p_mp);
        expectWithin(points.vmpV, curve.v_mp, tolerances.v_mp);
        curve.v.forEach((voltageV, index) => {
          const currentA = curve.i[index] ?? Number.NaN;
          expectWithin(currentAtVoltage(parameters, voltageV), currentA, tolerances.i_from_v);
          if (index % 10 === 0) expectWithin(voltageAtCurrent(parameters, currentA), voltageV, 1e-7);
        });
      }
    });
  });

  test('the explicit form agrees with the published points over the whole range of diode voltages', () => {
    interface Bishop {
      module: PvlibModule;
      poa: number;
      tcell_C: number;
      points: { vd: number; i: number }[];
    }
    withReference<Bishop>('bishop88-spr-e20-327.json', ({ module, poa, tcell_C, points }) => {
      const parameters = deSotoParameters(moduleOf(module), poa, tcell_C);
      expect(points.length).toBeGreaterThan(10);
      for (const { vd, i } of points) expectWithin(currentAtDiodeVoltage(parameters, vd), i, 1e-8 + 1e-5 * Math.abs(i));
    });
  });
});
