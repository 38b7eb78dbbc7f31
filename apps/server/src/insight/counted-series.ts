import { qualityAt } from '@sonnenwarte/energy/accounting/quality';
import { MARKED_QUANTITIES } from '@sonnenwarte/energy/accounting/site-marks';
import type { CountedEnergy } from '@sonnenwarte/energy/insight/counted-power';

/** Energies of a plant as they were accounted, by bucket. */
export interface AccountedSeries {
  /** Wh; NaN = not known. */
  pvWh: Float64Array;
  acOutWh: Float64Array;
  /** How each came about (`marksOf`). */
  marks: Uint32Array;
}

const PV = MARKED_QUANTITIES.indexOf('pv');
const AC_OUT = MARKED_QUANTITIES.indexOf('acOut');
/** Less than that of counters is no counter of the plant's. */
const LEAST_COUNTED_SHARE = 0.5;

function countedBy(energyWh: Float64Array, marks: Uint32Array, place: number): CountedEnergy | null {
  const isFirm = new Uint8Array(energyWh.length);
  const isEstimated = new Uint8Array(energyWh.length);
  let allWh = 0;
  let countedWh = 0;
  for (const [at, wh] of energyWh.entries()) {
    if (Number.isNaN(wh)) continue;
    const quality = qualityAt(marks[at] as number, place);
    isFirm[at] = Number(quality === 'measured');
    isEstimated[at] = Number(quality === 'estimated');
    allWh += wh;
    if (quality !== 'estimated') countedWh += wh;
  }
  return countedWh > 0 && countedWh >= LEAST_COUNTED_SHARE * allWh ? { energyWh, isFirm, isEstimated } : null;
}

/**
 * What the counters of a plant say of its PV energy: those of its arrays, else those at the AC terminals, through which nothing else comes where
 * there is no battery. null where there are none.
 *
 * @param batteryW what a battery gave or took, W; NaN = not known.
 */
export function countedSeries({ pvWh, acOutWh, marks }: AccountedSeries, batteryW: Float64Array): CountedEnergy | null {
  const byArrays = countedBy(pvWh, marks, PV);
  const hasBattery = batteryW.some((watts) => Math.abs(watts) > 0);
  return byArrays ?? (hasBattery ? null : countedBy(acOutWh, marks, AC_OUT));
}
