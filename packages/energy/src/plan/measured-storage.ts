import { ONE_WAY_EFFICIENCY } from '../physics/battery.ts';
import type { RecordedSpan } from './recorded-span.ts';
import type { StorageModel } from './replay.ts';

export interface MeasuredStorage {
  /** Wh between 0 and 100 %; null: too little was recorded to tell. */
  readonly capacityWh: number | null;
  /** One way, 0-1; null as above. */
  readonly efficiency: number | null;
  /** The most that it took and gave in five minutes, W. */
  readonly seenChargeW: number;
  readonly seenDischargeW: number;
}

/** Runs below it, percent, tell less of the battery than of the rounding of its state of charge. */
const LEAST_RUN_PERCENT = 5;
/** All runs of a direction together, percent. */
const LEAST_MOVED_PERCENT = 60;
/** What is believed of a battery's one-way efficiency. */
const EFFICIENCIES = { least: 0.8, most: 1 } as const;
const BUCKETS_PER_HOUR = 12;
/** Power over capacity of a battery whose limits are not told: filled and emptied in two hours. */
const USUAL_RATE_PER_H = 0.5;

interface Moved {
  wh: number;
  percent: number;
}

/**
 * What a battery holds and loses, by its own record: of runs in which it only charged, energy over percent is capacity / efficiency, of those in which it
 * only discharged capacity x efficiency, so that their product and quotient tell both.
 */
export function measuredStorage({ length, socPercent, chargeWh, dischargeWh }: RecordedSpan): MeasuredStorage {
  const up = { wh: 0, percent: 0 };
  const down = { wh: 0, percent: 0 };
  let seenChargeW = 0;
  let seenDischargeW = 0;
  let run: Moved & { sign: number } = { sign: 0, wh: 0, percent: 0 };
  const end = () => {
    const all = run.sign > 0 ? up : down;
    if (run.sign !== 0 && run.percent * run.sign >= LEAST_RUN_PERCENT) {
      all.wh += run.wh;
      all.percent += run.percent * run.sign;
    }
    run = { sign: 0, wh: 0, percent: 0 };
  };
  for (let place = 0; place < length; place += 1) {
    const [inWh, outWh] = [chargeWh[place] as number, dischargeWh[place] as number];
    if (inWh > seenChargeW) seenChargeW = inWh;
    if (outWh > seenDischargeW) seenDischargeW = outWh;
    const moved = place === 0 ? Number.NaN : (socPercent[place] as number) - (socPercent[place - 1] as number);
    const sign = inWh > 0 && outWh === 0 ? 1 : outWh > 0 && inWh === 0 ? -1 : 0;
    if (sign !== run.sign || Number.isNaN(moved)) end();
    if (sign === 0 || Number.isNaN(moved)) continue;
    run = { sign, wh: run.wh + inWh + outWh, percent: run.percent + moved };
  }
  end();
  const seen = { seenChargeW: seenChargeW * BUCKETS_PER_HOUR, seenDischargeW: seenDischargeW * BUCKETS_PER_HOUR };
  if (Math.min(up.percent, down.percent) < LEAST_MOVED_PERCENT) return { capacityWh: null, efficiency: null, ...seen };
  const [whPerUp, whPerDown] = [up.wh / up.percent, down.wh / down.percent];
  const efficiency = Math.sqrt(whPerDown / whPerUp);
  if (!(efficiency >= EFFICIENCIES.least && efficiency <= EFFICIENCIES.most))
    return { capacityWh: null, efficiency: null, ...seen };
  return { capacityWh: 100 * Math.sqrt(whPerUp * whPerDown), efficiency, ...seen };
}

/** What is known of a battery beside its record. */
export interface KnownStorage {
  /** Wh, as it was made; with its health where that is told. */
  readonly capacityWh: number;
  /** Its limits as they are set or told, W; null: not known. */
  readonly maxChargeW: number | null;
  readonly maxDischargeW: number | null;
  readonly ratedAcW: number;
}

/** A battery to replay with: as it is measured, else as it is known. */
export function storageModel(known: KnownStorage, measured: MeasuredStorage): StorageModel {
  const efficiency = measured.efficiency ?? ONE_WAY_EFFICIENCY;
  const capacityWh = measured.capacityWh ?? known.capacityWh;
  const usualW = USUAL_RATE_PER_H * capacityWh;
  return {
    capacityWh,
    chargeEfficiency: efficiency,
    dischargeEfficiency: efficiency,
    maxChargeW: known.maxChargeW ?? Math.max(measured.seenChargeW, usualW),
    maxDischargeW: known.maxDischargeW ?? Math.max(measured.seenDischargeW, usualW),
    ratedAcW: known.ratedAcW,
  };
}
