import { BUCKET_MS } from '../accounting/bucket-span.ts';
import { type BatteryPlan, type PlanPeriod, periodsOfWeek, plannedBatteryW } from './battery-plan.ts';
import type { Opening, RecordedSpan, SurplusLevels } from './recorded-span.ts';

/** A battery as it is replayed; energies and powers at its terminals. */
export interface StorageModel {
  /** What it holds between 0 and 100 %, Wh. */
  readonly capacityWh: number;
  readonly chargeEfficiency: number;
  readonly dischargeEfficiency: number;
  readonly maxChargeW: number;
  readonly maxDischargeW: number;
  /** Rating of its inverters, W: what generation and battery can give together. */
  readonly ratedAcW: number;
}

/** What a plan would have made of a span, Wh. */
export interface Replayed {
  readonly importWh: Float64Array;
  readonly exportWh: Float64Array;
  readonly chargeWh: Float64Array;
  readonly dischargeWh: Float64Array;
  /** Generation that an export limit would have let go to waste. */
  readonly curtailedWh: number;
  /** At the end of each bucket. */
  readonly socPercent: Float64Array;
  /** Discharged energy over what the battery holds. */
  readonly cycles: number;
  /** Buckets of which nothing is known, and which are left out. */
  readonly unknown: number;
}

/** Above it a battery takes less and less, and below the least of it never less than a twentieth until it is full. */
const TAPER_FROM_PERCENT = 95;
const TAPER_FLOOR = 0.05;
/** Discharging that has ended at the minimum begins again so far above it. */
const RESTART_PERCENT = 3;
/** Devices look at their plan once a minute. */
const STEPS = 5;
const STEP_HOURS = BUCKET_MS / STEPS / 3_600_000;
const STEP_MINUTES = BUCKET_MS / STEPS / 60_000;
const WEEK_MINUTES = 10_080;

/** A battery that is run through time. */
class Storage {
  readonly #model: StorageModel;
  readonly #minSoc: number;
  #isHeld: boolean;
  soc: number;
  chargeWh = 0;
  dischargeWh = 0;

  constructor(model: StorageModel, minSocPercent: number, { socPercent, isHeld }: Opening) {
    this.#model = model;
    this.#minSoc = minSocPercent;
    this.soc = socPercent;
    this.#isHeld = isHeld;
  }

  get chargeLimitW(): number {
    if (this.soc >= 100) return 0;
    if (this.soc <= TAPER_FROM_PERCENT) return this.#model.maxChargeW;
    return this.#model.maxChargeW * Math.max(TAPER_FLOOR, (100 - this.soc) / (100 - TAPER_FROM_PERCENT));
  }

  get dischargeLimitW(): number {
    const isHeld = this.#isHeld && this.soc < this.#minSoc + RESTART_PERCENT;
    return isHeld || this.soc <= this.#minSoc ? 0 : this.#model.maxDischargeW;
  }

  /** Runs for a time, + = discharge; returns what flowed, Wh, as far as what it holds allows. */
  run(powerW: number, hours: number): number {
    const { capacityWh, chargeEfficiency, dischargeEfficiency } = this.#model;
    const percentOf = 100 / capacityWh;
    let wh = powerW * hours;
    if (wh < 0) {
      wh = Math.max(wh, -(100 - this.soc) / percentOf / chargeEfficiency);
      this.soc = Math.min(100, this.soc - wh * chargeEfficiency * percentOf);
      this.chargeWh -= wh;
    } else if (wh > 0) {
      wh = Math.min(wh, (Math.max(0, this.soc - this.#minSoc) / percentOf) * dischargeEfficiency);
      this.soc -= (wh / dischargeEfficiency) * percentOf;
      this.dischargeWh += wh;
    }
    if (this.soc <= this.#minSoc + 1e-9) this.#isHeld = true;
    else if (this.soc >= this.#minSoc + RESTART_PERCENT) this.#isHeld = false;
    return wh;
  }
}

/** What was recorded, with the surplus as it wandered within the buckets. */
export type ReplayedRecord = Pick<RecordedSpan, 'length' | 'demandWh' | 'weekMinute'> & SurplusLevels;

/**
 * Replays what was recorded under a plan, minute by minute: generation and consumption stay, what battery and grid make of them follows from the plan.
 * In every bucket surplus + discharge + import = charge + export + what is curtailed; a minute of one level never charges and discharges.
 * A battery that begins below its minimum stays there until it is charged.
 */
export function replay(record: ReplayedRecord, plan: BatteryPlan, model: StorageModel, opening: Opening): Replayed {
  const { length, demandWh, weekMinute, highW, lowW, highShare } = record;
  const energies = () => new Float64Array(length);
  const told = { importWh: energies(), exportWh: energies(), chargeWh: energies(), dischargeWh: energies() };
  const socs = energies();
  const storage = new Storage(model, plan.minSocPercent, opening);
  const week = periodsOfWeek(plan.mode === 'batterySupport' ? plan.periods : []);
  const exportLimitW = plan.exportLimitW ?? Number.POSITIVE_INFINITY;
  let curtailedWh = 0;
  let unknown = 0;
  let importWh = 0;
  let exportWh = 0;
  let roomW = 0;
  const runFor = (surplusW: number, period: PlanPeriod | undefined, hours: number) => {
    if (hours <= 0) return;
    const batteryW = plannedBatteryW(plan, {
      surplusW,
      socPercent: storage.soc,
      chargeLimitW: storage.chargeLimitW,
      dischargeLimitW: Math.min(storage.dischargeLimitW, roomW),
      ratedW: model.ratedAcW,
      period,
    });
    const restWh = surplusW * hours + storage.run(batteryW, hours);
    if (restWh < 0) importWh -= restWh;
    else {
      const fedWh = Math.min(restWh, exportLimitW * hours);
      exportWh += fedWh;
      curtailedWh += restWh - fedWh;
    }
  };
  for (let place = 0; place < length; place += 1) {
    const [high, low, share] = [highW[place] as number, lowW[place] as number, highShare[place] as number];
    if (Number.isNaN(high)) {
      unknown += 1;
      socs[place] = storage.soc;
      continue;
    }
    const [chargedWh, dischargedWh] = [storage.chargeWh, storage.dischargeWh];
    const demandW = (demandWh[place] as number) / STEP_HOURS / STEPS;
    roomW = Math.max(0, model.ratedAcW - Math.max(0, high * share + low * (1 - share) + demandW));
    importWh = 0;
    exportWh = 0;
    for (let step = 0; step < STEPS; step += 1) {
      const held = week[((weekMinute[place] as number) + step * STEP_MINUTES) % WEEK_MINUTES] as number;
      const period = held < 0 ? undefined : plan.periods[held];
      runFor(high, period, STEP_HOURS * share);
      runFor(low, period, STEP_HOURS * (1 - share));
    }
    told.importWh[place] = importWh;
    told.exportWh[place] = exportWh;
    told.chargeWh[place] = storage.chargeWh - chargedWh;
    told.dischargeWh[place] = storage.dischargeWh - dischargedWh;
    socs[place] = storage.soc;
  }
  return { ...told, curtailedWh, socPercent: socs, cycles: storage.dischargeWh / model.capacityWh, unknown };
}
