/** Boltzmann's constant, eV/K (SI 2019). */
const BOLTZMANN_EV = 8.617333262e-5;
const REFERENCE_K = 298.15;
const ZERO_C_IN_K = 273.15;

/** Reference parameters of a module (De Soto 2006) at 1000 W/m2 and 25 degC. */
export interface ModuleReference {
  /** Light current, A. */
  lightCurrentA: number;
  saturationCurrentA: number;
  seriesOhm: number;
  shuntOhm: number;
  /** Modified ideality factor n Ns k T / q, V. */
  idealityV: number;
  /** Temperature coefficient of the short-circuit current, A/K. */
  alphaAPerK: number;
  /** Band gap, eV; crystalline silicon 1.121. */
  bandGapEv?: number;
  /** Relative change of the band gap, 1/K; -0.0002677. */
  bandGapPerK?: number;
}

/** The five parameters at given conditions: I = IL - I0 (exp((V + I Rs)/a) - 1) - (V + I Rs)/Rsh. */
export interface DiodeParameters {
  lightCurrentA: number;
  saturationCurrentA: number;
  seriesOhm: number;
  /** Infinity = none. */
  shuntOhm: number;
  idealityV: number;
}

export interface KeyPoints {
  iscA: number;
  vocV: number;
  impA: number;
  vmpV: number;
  pmpW: number;
}

/** Translates reference parameters to an irradiance, W/m2, and a cell temperature, degC (De Soto, Klein & Beckman 2006). */
export function deSotoParameters(module: ModuleReference, planeWm2: number, cellC: number): DiodeParameters {
  const bandGapEv = module.bandGapEv ?? 1.121;
  const deltaK = cellC - 25;
  const cellK = cellC + ZERO_C_IN_K;
  const cellGapEv = bandGapEv * (1 + (module.bandGapPerK ?? -0.0002677) * deltaK);
  const share = planeWm2 / 1000;
  return {
    lightCurrentA: share * (module.lightCurrentA + module.alphaAPerK * deltaK),
    saturationCurrentA:
      module.saturationCurrentA *
      (cellK / REFERENCE_K) ** 3 *
      Math.exp(bandGapEv / (BOLTZMANN_EV * REFERENCE_K) - cellGapEv / (BOLTZMANN_EV * cellK)),
    seriesOhm: module.seriesOhm,
    shuntOhm: share > 0 ? module.shuntOhm / share : Number.POSITIVE_INFINITY,
    idealityV: (module.idealityV * cellK) / REFERENCE_K,
  };
}

/** Current, A, at a diode voltage V + I Rs (Bishop 1988: explicit, without overflow for any voltage that occurs). */
export function currentAtDiodeVoltage(parameters: DiodeParameters, diodeV: number): number {
  return (
    parameters.lightCurrentA -
    parameters.saturationCurrentA * Math.expm1(diodeV / parameters.idealityV) -
    diodeV / parameters.shuntOhm
  );
}

function slopeAtDiodeVoltage(parameters: DiodeParameters, diodeV: number): number {
  const { saturationCurrentA, idealityV, shuntOhm } = parameters;
  return (-saturationCurrentA / idealityV) * Math.exp(diodeV / idealityV) - 1 / shuntOhm;
}

const MAX_ROUNDS = 100;

/**
 * Newton's method for an increasing convex function from an upper bound of its root: it comes down without overshooting.
 */
function descend(startV: number, value: (diodeV: number) => number, slope: (diodeV: number) => number): number {
  let diodeV = startV;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const move = value(diodeV) / slope(diodeV);
    diodeV -= move;
    if (!(Math.abs(move) > 1e-14 * Math.max(1, Math.abs(diodeV)))) break;
  }
  return diodeV;
}

/** Current, A, at a terminal voltage, V; negative beyond open circuit. */
export function currentAtVoltage(parameters: DiodeParameters, voltageV: number): number {
  const { lightCurrentA, saturationCurrentA, seriesOhm, shuntOhm, idealityV } = parameters;
  if (seriesOhm === 0) return currentAtDiodeVoltage(parameters, voltageV);
  const sourceV = voltageV + seriesOhm * (lightCurrentA + saturationCurrentA);
  let upperV = sourceV / (1 + seriesOhm / shuntOhm);
  if (sourceV > 0 && upperV > 0)
    upperV = Math.min(upperV, idealityV * Math.log(sourceV / (seriesOhm * saturationCurrentA)));
  const diodeV = descend(
    upperV,
    (v) => v - seriesOhm * currentAtDiodeVoltage(parameters, v) - voltageV,
    (v) => 1 - seriesOhm * slopeAtDiodeVoltage(parameters, v),
  );
  return currentAtDiodeVoltage(parameters, diodeV);
}

/** Terminal voltage, V, at a current, A; strongly negative for a current beyond what the light gives. */
export function voltageAtCurrent(parameters: DiodeParameters, currentA: number): number {
  const { lightCurrentA, saturationCurrentA, seriesOhm, shuntOhm, idealityV } = parameters;
  const excessA = lightCurrentA - currentA;
  if (excessA + saturationCurrentA <= 0 && !Number.isFinite(shuntOhm)) return Number.NEGATIVE_INFINITY;
  const upperV =
    excessA >= 0
      ? Math.min(shuntOhm * excessA, idealityV * Math.log1p(excessA / saturationCurrentA))
      : Math.min(0, shuntOhm * (excessA + saturationCurrentA));
  const diodeV = descend(
    excessA === 0 ? 0 : upperV,
    (v) => currentA - currentAtDiodeVoltage(parameters, v),
    (v) => -slopeAtDiodeVoltage(parameters, v),
  );
  return diodeV - currentA * seriesOhm;
}

/** Short circuit, open circuit and maximum power point. All zero in the dark. */
export function keyPoints(parameters: DiodeParameters): KeyPoints {
  if (!(parameters.lightCurrentA > 0)) return { iscA: 0, vocV: 0, impA: 0, vmpV: 0, pmpW: 0 };
  const iscA = currentAtVoltage(parameters, 0);
  const vocV = voltageAtCurrent(parameters, 0);
  const diodeV = maximumPowerDiodeV(parameters, vocV);
  const impA = currentAtDiodeVoltage(parameters, diodeV);
  const vmpV = diodeV - impA * parameters.seriesOhm;
  return { iscA, vocV, impA, vmpV, pmpW: impA * vmpV };
}

/** Root of dP/dVd by bisection with Newton's accuracy left to it: the function falls from Isc to below 0 on [Isc Rs, Voc]. */
function maximumPowerDiodeV(parameters: DiodeParameters, vocV: number): number {
  let lowV = Math.min(vocV, currentAtVoltage(parameters, 0) * parameters.seriesOhm);
  let highV = vocV;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const diodeV = (lowV + highV) / 2;
    if (diodeV === lowV || diodeV === highV) break;
    const currentA = currentAtDiodeVoltage(parameters, diodeV);
    const slope = slopeAtDiodeVoltage(parameters, diodeV);
    const powerSlope =
      currentA * (1 - parameters.seriesOhm * slope) + (diodeV - currentA * parameters.seriesOhm) * slope;
    if (powerSlope > 0) lowV = diodeV;
    else highV = diodeV;
  }
  return (lowV + highV) / 2;
}
