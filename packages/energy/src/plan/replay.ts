import { type BatteryPlan, type PlanPeriod, periodsOfWeek, plannedBatteryW } from './battery-plan.ts';
import type { Opening, RecordedSpan } from './recorded-span.ts';
import { BUCKET_MINUTES, type SurplusCourse } from './surplus-course.ts';

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
const MINUTE_HOURS = 1 / 60;
const WEEK_MINUTES = 10_080;

/** States of charge at which a plan ends charging and discharging: devices see them within seconds. */
interface Bounds {
  readonly fullPercent: number;
  readonly emptyPercent: number;
}

function boundsOf({ mode, minSocPercent, backupSocPercent }: BatteryPlan, period?: PlanPeriod): Bounds {
  const bounds = { fullPercent: mode === 'backup' ? backupSocPercent : 100, emptyPercent: minSocPercent };
  if (period === undefined) return bounds;
  if (period.action === 'discharge') return { ...bounds, emptyPercent: Math.max(minSocPercent, period.minSocPercent) };
  return { ...bounds, fullPercent: period.fdSocPercent };
}

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

  /** Runs for a time, + = discharge, until it is as full or as empty as it may be; returns what flowed, Wh. */
  run(powerW: number, hours: number, { fullPercent, emptyPercent }: Bounds): number {
    const { capacityWh, chargeEfficiency, dischargeEfficiency } = this.#model;
    const percentOf = 100 / capacityWh;
    let wh = powerW * hours;
    if (wh < 0) {
      wh = Math.max(wh, -Math.max(0, fullPercent - this.soc) / percentOf / chargeEfficiency);
      this.soc = Math.min(100, this.soc - wh * chargeEfficiency * percentOf);
      this.chargeWh -= wh;
    } else if (wh > 0) {
      wh = Math.min(wh, (Math.max(0, this.soc - emptyPercent) / percentOf) * dischargeEfficiency);
      this.soc -= (wh / dischargeEfficiency) * percentOf;
      this.dischargeWh += wh;
    }
    if (this.soc <= this.#minSoc + 1e-9) this.#isHeld = true;
    else if (this.soc >= this.#minSoc + RESTART_PERCENT) this.#isHeld = false;
    return wh;
  }
}

/** What was recorded, with the surplus as it went within the buckets. */
export interface ReplayedRecord extends Pick<RecordedSpan, 'length' | 'demandWh' | 'weekMinute'> {
  readonly surplus: SurplusCourse;
}

/**
 * Replays what was recorded under a plan, minute by minute: generation and consumption stay, what battery and grid make of them follows from the plan.
 * In every bucket surplus + discharge + import = charge + export + what is curtailed; a minute of one power never charges and discharges.
 * A battery that begins below its minimum stays there until it is charged.
 */
export function replay(record: ReplayedRecord, plan: BatteryPlan, model: StorageModel, opening: Opening): Replayed {
  const { length, demandWh, weekMinute, surplus } = record;
  const { from, powerW, share, meanW } = surplus;
  const energies = () => new Float64Array(length);
  const told = { importWh: energies(), exportWh: energies(), chargeWh: energies(), dischargeWh: energies() };
  const socs = energies();
  const storage = new Storage(model, plan.minSocPercent, opening);
  const week = periodsOfWeek(plan.mode === 'batterySupport' ? plan.periods : []);
  const always = boundsOf(plan);
  const ofPeriod = plan.periods.map((period) => boundsOf(plan, period));
  const exportLimitW = plan.exportLimitW ?? Number.POSITIVE_INFINITY;
  let curtailedWh = 0;
  let unknown = 0;
  let importWh = 0;
  let exportWh = 0;
  let roomW = 0;
  const runFor = (surplusW: number, held: number, hours: number) => {
    const batteryW = plannedBatteryW(plan, {
      surplusW,
      socPercent: storage.soc,
      chargeLimitW: storage.chargeLimitW,
      dischargeLimitW: Math.min(storage.dischargeLimitW, roomW),
      ratedW: model.ratedAcW,
      period: held < 0 ? undefined : plan.periods[held],
    });
    const bounds = held < 0 ? always : (ofPeriod[held] as Bounds);
    const restWh = surplusW * hours + storage.run(batteryW, hours, bounds);
    if (restWh < 0) importWh -= restWh;
    else {
      const fedWh = Math.min(restWh, exportLimitW * hours);
      exportWh += fedWh;
      curtailedWh += restWh - fedWh;
    }
  };
  for (let place = 0; place < length; place += 1) {
    const generationW = (meanW[place] as number) + (demandWh[place] as number) / MINUTE_HOURS / BUCKET_MINUTES;
    if (Number.isNaN(generationW)) {
      unknown += 1;
      socs[place] = storage.soc;
      continue;
    }
    const [chargedWh, dischargedWh] = [storage.chargeWh, storage.dischargeWh];
    roomW = Math.max(0, model.ratedAcW - Math.max(0, generationW));
    importWh = 0;
    exportWh = 0;
    for (let minute = 0; minute < BUCKET_MINUTES; minute += 1) {
      const held = week[((weekMinute[place] as number) + minute) % WEEK_MINUTES] as number;
      const end = from[place * BUCKET_MINUTES + minute + 1] as number;
      for (let at = from[place * BUCKET_MINUTES + minute] as number; at < end; at += 1) {
        runFor(powerW[at] as number, held, (share[at] as number) * MINUTE_HOURS);
      }
    }
    told.importWh[place] = importWh;
    told.exportWh[place] = exportWh;
    told.chargeWh[place] = storage.chargeWh - chargedWh;
    told.dischargeWh[place] = storage.dischargeWh - dischargedWh;
    socs[place] = storage.soc;
  }
  return { ...told, curtailedWh, socPercent: socs, cycles: storage.dischargeWh / model.capacityWh, unknown };
}
