/** Module temperature, degC, from irradiance in its plane, air and wind (Faiman 2008; u0 25, u1 6.84). */
export function faimanTemperatureC(planeWm2: number, ambientC: number, windMs: number, u0 = 25, u1 = 6.84): number {
  return ambientC + planeWm2 / (u0 + u1 * windMs);
}

export interface PvWattsArray {
  /** DC rating at 1000 W/m2 and 25 degC, W. */
  ratedW: number;
  /** Power coefficient, 1/K; typically -0.0035. */
  gammaPerK: number;
  /** Share lost to soiling, mismatch, wiring, ageing, 0-1. */
  lossFraction: number;
}

/** DC power at the maximum power point, W (Dobos, PVWatts v5, NREL/TP-6A20-62641). Never negative. */
export function pvWattsDcW(array: PvWattsArray, planeWm2: number, moduleC: number): number {
  const factor = 1 + array.gammaPerK * (moduleC - 25);
  return Math.max(0, ((array.ratedW * planeWm2) / 1000) * factor * (1 - array.lossFraction));
}

/** Share of the rating left after an age, with a linear loss a year; never below 0. */
export function ageingFactor(ageYears: number, lossPerYear = 0.005): number {
  return Math.max(0, 1 - lossPerYear * Math.max(0, ageYears));
}

export interface StringVoltage {
  modulesInSeries: number;
  /** Voltage of one module at its maximum power point at 1000 W/m2 and 25 degC, V. */
  moduleVmpV: number;
  /** Voltage coefficient, 1/K; typically -0.0029. */
  betaPerK: number;
}

/** Voltage of a string at its maximum power point, V: 6 % less for each tenth of the light, not below 20 W/m2. */
export function stringVmpV(string: StringVoltage, planeWm2: number, moduleC: number): number {
  return (
    string.modulesInSeries *
    string.moduleVmpV *
    (1 + string.betaPerK * (moduleC - 25)) *
    (1 + 0.06 * Math.log10(Math.max(planeWm2, 20) / 1000))
  );
}
