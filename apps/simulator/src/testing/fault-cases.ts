import { type DayInsight, dayInsight } from '@sonnenwarte/energy/insight/day-insight';
import { type PeerReference, peerReference } from '@sonnenwarte/energy/insight/peers';
import { BUCKET_MS } from '@sonnenwarte/energy/insight/plant-day';
import { type PlantProfile, updatedProfile } from '@sonnenwarte/energy/insight/profile';
import type { ReasonKind } from '@sonnenwarte/energy/insight/reasons';
import { type WeekLoss, weekLoss } from '@sonnenwarte/energy/insight/week-loss';
import { Random } from '@sonnenwarte/energy/random';
import { FaultBoard, type FaultName, faultKind } from '../faults.ts';
import type { FleetPlant } from '../fleet.ts';
import { Plant } from '../plant/plant.ts';
import type { PlantState } from '../plant/state.ts';
import { neighbour, type Region, region, type WantedPlant } from './neighbourhood.ts';
import { clearnessOfDay, DAY_MS, judged, plantAt, type RecordedDay, recordDay } from './recorded-days.ts';

export interface FaultCase {
  name: string;
  /** Injected; without one the plant itself is built so. */
  fault?: FaultName;
  season?: 'winter';
  wanted?: WantedPlant;
  /** Days before the week at which it begins; within the week without it. */
  leadDays?: number;
  /** Hours that it lasts, drawn between; to the end of the week without it. */
  hours?: readonly [least: number, most: number];
  /** The first reason that is right; null = none. */
  right: { kind: ReasonKind; alarm?: number } | null;
  /** What it cost is not to be known, or nothing. */
  isCostUnknown?: boolean;
}

/** An inverter that has to work hard in sunshine, so that a cap costs something. */
const busy: WantedPlant = { ratedPerWp: 0.75 };

const stopped = (fault: FaultName, alarm: number, wanted: WantedPlant = {}): FaultCase => ({
  name: fault,
  fault,
  wanted,
  hours: [6, 60],
  right: { kind: 'alarm', alarm },
});

export const faultCases: readonly FaultCase[] = [
  stopped('grid-over-voltage', 1001),
  stopped('grid-under-voltage', 1002),
  { ...stopped('grid-over-frequency', 1003, busy), hours: [72, 144] },
  stopped('grid-lost', 1005),
  { name: 'string-open', fault: 'string-open', right: { kind: 'string-weak' } },
  { name: 'string-weak', fault: 'string-weak', right: { kind: 'string-weak' } },
  stopped('insulation-low', 2001),
  stopped('arc-fault', 2003),
  { name: 'fan-failure', fault: 'fan-failure', wanted: busy, right: { kind: 'alarm', alarm: 3002 } },
  { name: 'over-temperature', fault: 'over-temperature', wanted: busy, right: { kind: 'alarm', alarm: 3003 } },
  stopped('internal-communication', 3005),
  { name: 'bms-lost', fault: 'bms-lost', wanted: { hasBattery: true }, right: { kind: 'alarm', alarm: 4001 } },
  { name: 'battery-cold', fault: 'battery-cold', wanted: { hasBattery: true }, right: { kind: 'alarm', alarm: 4005 } },
  { name: 'meter-lost', fault: 'meter-lost', hours: [24, 72], right: { kind: 'alarm', alarm: 5001 } },
  { name: 'meter-ct-reversed', fault: 'meter-ct-reversed', right: { kind: 'meter-wrong' } },
  { name: 'silent-logger', fault: 'silent-logger', hours: [24, 72], right: { kind: 'offline' }, isCostUnknown: true },
  { name: 'comms-drop', fault: 'comms-drop', hours: [6, 72], right: null },
  { name: 'counter-reset', fault: 'counter-reset', right: null },
  { name: 'device-replaced', fault: 'device-replaced', right: null },
  { name: 'snow', fault: 'snow', season: 'winter', hours: [36, 96], right: { kind: 'snow' } },
  { name: 'soiling', fault: 'soiling', leadDays: 18, right: { kind: 'soiling' } },
  { name: 'shade', fault: 'shade', leadDays: 20, right: { kind: 'shade' } },
  { name: 'clipping', wanted: { ratedPerWp: 0.5 }, right: { kind: 'clipping' } },
  {
    name: 'export limit',
    wanted: { hasBattery: false, exportPerWp: 0.3 },
    right: { kind: 'export-limit' },
  },
  {
    name: 'battery full',
    wanted: { hasBattery: true, exportPerWp: 0.3 },
    right: { kind: 'battery-full' },
  },
];

export const WEEK_DAYS = 7;
const WARM_DAYS = 28;
const NEIGHBOURS = 8;
const HOUR_MS = 3_600_000;

/** A plant that ran through its past, ready to run on with or without a fault. */
interface Begun {
  plant: FleetPlant;
  profile: PlantProfile | null;
  state: PlantState;
}

interface Week {
  insights: DayInsight[];
  loss: WeekLoss;
  pvWh: number;
  heldBackWh: number;
}

/** One seed's neighbours over five weeks: the same for all cases. */
export class Block {
  readonly #region: Region;
  readonly #startMs: number;
  readonly #references: (PeerReference | null)[];
  readonly #curves: Float64Array[][];
  readonly #begun = new Map<string, Begun>();
  readonly #random: Random;

  constructor(seed: number, season: FaultCase['season']) {
    this.#region = region(seed);
    this.#random = new Random(`block ${seed} ${season ?? ''}`);
    const day = this.#random.integer(season === 'winter' ? 50 : 120);
    this.#startMs = (season === 'winter' ? Date.UTC(2025, 10, 10) : Date.UTC(2025, 2, 25)) + day * DAY_MS;
    const days = WARM_DAYS + WEEK_DAYS;
    this.#curves = Array.from({ length: NEIGHBOURS }, (_, index) => {
      const plant = neighbour(this.#region, index + 1);
      const faults = new FaultBoard();
      const running = plantAt(plant, this.#startMs, faults);
      return Array.from({ length: days }, () => clearnessOfDay(plant, recordDay(running, faults)));
    });
    this.#references = Array.from({ length: days }, (_, at) => this.#referenceWithout(at, -1));
  }

  #referenceWithout(at: number, left: number): PeerReference | null {
    return peerReference(this.#curves.filter((_, index) => index !== left).map((curves) => curves[at] as Float64Array));
  }

  /** The first reason of the week with a fault, and what it cost by the portal and in truth. */
  run(wantedCase: FaultCase): { week: Week; trueWh: number } {
    const { fault, wanted = {}, leadDays = 0, hours } = wantedCase;
    const random = this.#random.fork(wantedCase.name);
    const weekMs = this.#startMs + WARM_DAYS * DAY_MS;
    const plant = neighbour(this.#region, 0, wanted);
    const faults = new FaultBoard();
    if (fault !== undefined) {
      const fromMs = leadDays > 0 ? weekMs - leadDays * DAY_MS : weekMs + Math.round(random.between(4, 72) * HOUR_MS);
      const durationMs = hours === undefined ? Number.POSITIVE_INFINITY : random.between(...hours) * HOUR_MS;
      const devices = plant.loggers.flatMap((datalogger) => datalogger.devices);
      const { target } = faultKind(fault);
      const meant = target === 'logger' ? plant.loggers : devices.filter(({ kind }) => kind === target);
      // What lies on the roof lies on the arrays of all inverters.
      const isOnRoof = fault === 'snow' || fault === 'soiling' || fault === 'shade';
      const [first, ...others] = meant;
      if (first === undefined) throw new Error(`${wantedCase.name} has no ${target}`);
      faults.inject(first.sn, fault, fromMs, durationMs, 1 + random.integer(2));
      if (isOnRoof) for (const { sn } of others) faults.inject(sn, fault, fromMs, durationMs);
    }
    const begun = leadDays > 0 ? this.#begin(plant, faults) : this.#healthy(wanted);
    const week = this.#week(begun, faults);
    if (fault === undefined) return { week, trueWh: week.heldBackWh };
    const healthy = this.#week(this.#healthy(wanted), new FaultBoard());
    return { week, trueWh: healthy.pvWh - week.pvWh };
  }

  /** Weeks of plants without any fault, all seen by the others. */
  healthyWeeks(count: number): Week[] {
    return Array.from({ length: count }, (_, index) => {
      if (index === 0) return this.#week(this.#healthy({}), new FaultBoard());
      const references = this.#references.map((_, at) => this.#referenceWithout(at, index - 1));
      const begun = this.#begin(neighbour(this.#region, index), new FaultBoard(), references);
      return this.#week(begun, new FaultBoard(), references);
    });
  }

  #healthy(wanted: WantedPlant): Begun {
    const key = JSON.stringify(wanted);
    const known = this.#begun.get(key);
    if (known !== undefined) return known;
    const made = this.#begin(neighbour(this.#region, 0, wanted), new FaultBoard());
    this.#begun.set(key, made);
    return made;
  }

  #begin(plant: FleetPlant, faults: FaultBoard, references = this.#references): Begun {
    const running = plantAt(plant, this.#startMs, faults);
    let profile: PlantProfile | null = null;
    for (let at = 0; at < WARM_DAYS; at += 1) {
      const insight = dayInsight(judged(plant, recordDay(running, faults), references[at] ?? null, profile));
      profile = updatedProfile(profile, insight.observation);
    }
    return { plant, profile, state: structuredClone(running.state) };
  }

  #week({ plant, profile: before, state }: Begun, faults: FaultBoard, references = this.#references): Week {
    const running = new Plant(plant, state.tsMs, faults, state, BUCKET_MS);
    let profile = before;
    let pvWh = 0;
    let heldBackWh = 0;
    const insights = Array.from({ length: WEEK_DAYS }, (_, at) => {
      const day: RecordedDay = recordDay(running, faults);
      pvWh += day.pvWh;
      heldBackWh += day.heldBackWh;
      const insight = dayInsight(judged(plant, day, references[WARM_DAYS + at] ?? null, profile));
      profile = updatedProfile(profile, insight.observation);
      return insight;
    });
    return { insights, loss: weekLoss(insights), pvWh, heldBackWh };
  }
}

/** Less than this part of what was expected is not worth naming. */
const WORTH_SHARE = 0.005;

/**
 * Whether the first reason of a week is the right one. What costs nothing worth naming and tells no alarm needs no reason.
 *
 * @param trueWh what the cause took away.
 */
export function isRight({ right }: FaultCase, { reason, expectedWh }: WeekLoss, trueWh: number): boolean {
  if (reason === null && right?.alarm === undefined && trueWh < WORTH_SHARE * (expectedWh ?? 0)) return true;
  if (right === null || reason === null) return right === null && reason === null;
  if (reason.latest.kind !== right.kind) return false;
  return right.alarm === undefined || (reason.latest.kind === 'alarm' && reason.latest.evidence.code === right.alarm);
}
