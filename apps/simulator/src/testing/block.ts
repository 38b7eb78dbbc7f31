import { type DayInsight, dayInsight } from '@sonnenwarte/energy/insight/day-insight';
import { type PeerReference, peerReference } from '@sonnenwarte/energy/insight/peers';
import { BUCKET_MS } from '@sonnenwarte/energy/insight/plant-day';
import { type PlantProfile, updatedProfile } from '@sonnenwarte/energy/insight/profile';
import { type WeekLoss, weekLoss } from '@sonnenwarte/energy/insight/week-loss';
import { Random } from '@sonnenwarte/energy/random';
import { FaultBoard, faultKind } from '../faults.ts';
import type { FleetPlant } from '../fleet.ts';
import { Plant } from '../plant/plant.ts';
import type { PlantState } from '../plant/state.ts';
import { type FaultCase, type Setting, seasons } from './fault-cases.ts';
import { neighbour, type Region, region, type WantedPlant } from './neighbourhood.ts';
import { clearnessOfDay, DAY_MS, judged, plantAt, type RecordedDay, recordDay } from './recorded-days.ts';

const WEEK_DAYS = 7;
const WARM_DAYS = 28;
const NEIGHBOURS = 8;
const HOUR_MS = 3_600_000;
const SEASON_DAYS = 91;
/** Of the first of March. */
const FIRST_SPRING = Date.UTC(2025, 2, 1);

/** Local midnight by the sun's mean course, so that a day's light is not cut in two. */
function weekStartMs({ latitude, longitude }: Region, { season }: Setting, random: Random): number {
  const turned = latitude < 0 ? 2 : 0;
  const days =
    SEASON_DAYS * ((seasons.indexOf(season) + turned) % seasons.length) + random.integer(SEASON_DAYS - WEEK_DAYS);
  return FIRST_SPRING + days * DAY_MS - Math.round(longitude / 15) * HOUR_MS;
}

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
  readonly #healthyWeeks = new Map<string, Week>();
  readonly #random: Random;

  constructor(seed: number, setting: Setting) {
    this.#region = region(seed, setting.climate);
    this.#random = new Random(`block ${seed} ${setting.climate} ${setting.season}`);
    this.#startMs = weekStartMs(this.#region, setting, this.#random) - WARM_DAYS * DAY_MS;
    const days = WARM_DAYS + WEEK_DAYS;
    this.#curves = Array.from({ length: NEIGHBOURS }, (_, index) => {
      const running = plantAt(neighbour(this.#region, index + 1), this.#startMs, new FaultBoard());
      return Array.from({ length: days }, () => clearnessOfDay(running));
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
    return { week, trueWh: this.#healthyWeek(wanted).pvWh - week.pvWh };
  }

  /** Weeks of plants without any fault, all seen by the others. */
  healthyWeeks(count: number): Week[] {
    return Array.from({ length: count }, (_, index) => {
      if (index === 0) return this.#healthyWeek({});
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

  #healthyWeek(wanted: WantedPlant): Week {
    const key = JSON.stringify(wanted);
    const known = this.#healthyWeeks.get(key);
    if (known !== undefined) return known;
    const made = this.#week(this.#healthy(wanted), new FaultBoard());
    this.#healthyWeeks.set(key, made);
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
