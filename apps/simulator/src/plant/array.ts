import { isotropicPlane } from '@sonnenwarte/energy/physics/irradiance';
import { ageingFactor, faimanTemperatureC, pvWattsDcW, stringVmpV } from '@sonnenwarte/energy/physics/module';
import type { FleetMppt, PlantArray } from '../fleet.ts';
import type { Conditions } from './weather.ts';

const MODULE_KWP = 0.44;
const MODULE_VMP_V = 34.2;
const GAMMA_PER_K = -0.0035;
const BETA_PER_K = -0.0029;
const LOSS = 0.1;
const START_V = 120;

/** Light and module temperature in the plane of an array. */
export interface PlaneConditions {
  planeWm2: number;
  /** Of the light, what comes straight from the sun. */
  directWm2: number;
  moduleC: number;
  ambientC: number;
}

export function planeConditions(array: PlantArray, at: Conditions): PlaneConditions {
  const { ambientC } = at;
  if (!at.isDay) return { planeWm2: 0, directWm2: 0, moduleC: ambientC, ambientC };
  const plane = { tiltDeg: array.inclinationDeg, azimuthDeg: array.azimuthDeg };
  const { totalWm2, directWm2 } = isotropicPlane(at.irradiance, at.zenithDeg, at.azimuthDeg, plane);
  const moduleC = faimanTemperatureC(totalWm2, ambientC, at.windMs);
  return { planeWm2: totalWm2, directWm2, moduleC, ambientC };
}

/** DC power of kWp in a plane at the maximum power point, W. */
export function arrayDcW(kwp: number, at: PlaneConditions, ageYears: number): number {
  if (at.planeWm2 <= 0) return 0;
  const lossFraction = 1 - (1 - LOSS) * ageingFactor(ageYears);
  return pvWattsDcW({ ratedW: kwp * 1000, gammaPerK: GAMMA_PER_K, lossFraction }, at.planeWm2, at.moduleC);
}

export function modulesInSeries(mppt: FleetMppt): number {
  return Math.max(4, Math.round(mppt.kwp / mppt.strings / MODULE_KWP));
}

/** Voltage at the maximum power point, V; 0 where it is too low for the tracker to start. */
export function mpptVoltageV(mppt: FleetMppt, at: PlaneConditions): number {
  if (at.planeWm2 <= 1) return 0;
  const string = { modulesInSeries: modulesInSeries(mppt), moduleVmpV: MODULE_VMP_V, betaPerK: BETA_PER_K };
  const voltageV = stringVmpV(string, at.planeWm2, at.moduleC);
  return voltageV >= START_V ? voltageV : 0;
}
