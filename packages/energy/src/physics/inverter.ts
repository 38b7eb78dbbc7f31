/** Nominal efficiency of an inverter. */
export const NOMINAL_EFFICIENCY = 0.965;

const REFERENCE_EFFICIENCY = 0.9637;

/**
 * Efficiency at a part load (Dobos, PVWatts v5, NREL/TP-6A20-62641), 0-1.
 *
 * @param load DC power over the DC power at which the AC rating is reached.
 */
export function partLoadEfficiency(load: number, nominal: number = NOMINAL_EFFICIENCY): number {
  if (!(load > 0)) return 0;
  return Math.max(0, (nominal / REFERENCE_EFFICIENCY) * (-0.0162 * load - 0.0059 / load + 0.9858));
}

export interface InverterOutput {
  /** Delivered, W, 0 to the rating. */
  acW: number;
  /** Taken from the array after clipping, W. */
  dcW: number;
  lossW: number;
  /** Available from the array but not taken, W. */
  clippedW: number;
}

/** AC power of an inverter that is offered a DC power, clipped at its rating or at a lower limit. */
export function inverterOutput(
  availableDcW: number,
  ratedAcW: number,
  nominal: number = NOMINAL_EFFICIENCY,
  limitAcW: number = Number.POSITIVE_INFINITY,
): InverterOutput {
  const ratedDcW = ratedAcW / nominal;
  const offeredW = Math.max(0, availableDcW);
  const capW = Math.max(0, Math.min(ratedAcW, limitAcW));
  const freeAcW = offeredW * partLoadEfficiency(offeredW / ratedDcW, nominal);
  if (freeAcW <= capW) return { acW: freeAcW, dcW: offeredW, lossW: offeredW - freeAcW, clippedW: 0 };
  const dcW = Math.min(offeredW, dcForAcW(capW, ratedAcW, nominal));
  return { acW: capW, dcW, lossW: dcW - capW, clippedW: offeredW - dcW };
}

/** DC power, W, that is needed to deliver an AC power; inverse of the part-load curve, on its rising branch. */
export function dcForAcW(acW: number, ratedAcW: number, nominal: number = NOMINAL_EFFICIENCY): number {
  const ratedDcW = ratedAcW / nominal;
  if (acW <= 0) return 0;
  // k (-0.0162 z^2 + 0.9858 z - 0.0059) = acW / ratedDcW, with z the load.
  const k = nominal / REFERENCE_EFFICIENCY;
  const target = acW / (k * ratedDcW) + 0.0059;
  const discriminant = Math.max(0, 0.9858 ** 2 - 4 * 0.0162 * target);
  const load = (0.9858 - Math.sqrt(discriminant)) / (2 * 0.0162);
  return load * ratedDcW;
}
