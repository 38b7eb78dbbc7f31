import { BUCKET_MS } from '../accounting/bucket-span.ts';
import { type TimeBounds, zoneOffsetMs } from '../calendar.ts';
import type { PlanMode } from './battery-plan.ts';

/** Energies of a plant in five minutes as they were recorded, Wh, all >= 0. */
export interface RecordedBucket {
  readonly tsMs: number;
  readonly importWh: number;
  readonly exportWh: number;
  readonly chargeWh: number;
  readonly dischargeWh: number;
  /** House and vehicles. */
  readonly demandWh: number;
  /** At the end of the bucket; null: not told. */
  readonly socPercent: number | null;
}

/** What was recorded in a span, bucket by bucket without holes in time; what is not known is NaN. */
export interface RecordedSpan extends TimeBounds {
  readonly length: number;
  readonly importWh: Float64Array;
  readonly exportWh: Float64Array;
  readonly chargeWh: Float64Array;
  readonly dischargeWh: Float64Array;
  readonly demandWh: Float64Array;
  readonly socPercent: Float64Array;
  /** Minute of the plant-local week, Monday first, at which each bucket begins. */
  readonly weekMinute: Int32Array;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEK_MINUTES = 10_080;
/** 1 January 1970 was a Thursday. */
const EPOCH_WEEKDAY = 3;

/** Minute of the plant-local week, Monday first. */
export function weekMinuteOf(tsMs: number, zone: string): number {
  const minutes = Math.floor((tsMs + zoneOffsetMs(tsMs, zone) + EPOCH_WEEKDAY * DAY_MS) / MINUTE_MS);
  return ((minutes % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES;
}

/** Puts the buckets of a span, in any order, in their places. */
export function recordedSpan(
  buckets: Iterable<RecordedBucket>,
  { startMs, endMs }: TimeBounds,
  zone: string,
): RecordedSpan {
  const length = Math.max(0, Math.ceil((endMs - startMs) / BUCKET_MS));
  const unknown = () => new Float64Array(length).fill(Number.NaN);
  const span = {
    importWh: unknown(),
    exportWh: unknown(),
    chargeWh: unknown(),
    dischargeWh: unknown(),
    demandWh: unknown(),
    socPercent: unknown(),
  };
  for (const bucket of buckets) {
    const place = Math.floor((bucket.tsMs - startMs) / BUCKET_MS);
    if (place < 0 || place >= length) continue;
    span.importWh[place] = bucket.importWh;
    span.exportWh[place] = bucket.exportWh;
    span.chargeWh[place] = bucket.chargeWh;
    span.dischargeWh[place] = bucket.dischargeWh;
    span.demandWh[place] = bucket.demandWh;
    span.socPercent[place] = bucket.socPercent ?? Number.NaN;
  }
  const weekMinute = Int32Array.from({ length }, (_, place) => weekMinuteOf(startMs + place * BUCKET_MS, zone));
  return { startMs, endMs, length, ...span, weekMinute };
}

/** A battery when a span begins. */
export interface Opening {
  readonly socPercent: number;
  /** It does not discharge until it is well above its minimum again. */
  readonly isHeld: boolean;
}

/**
 * How a battery stood when a span began: at the state of charge before it, else the first one told; held where it then did not give although something was
 * bought. Null: nothing is told of it.
 */
export function openingOf(span: RecordedSpan, before: number | null): Opening | null {
  const socPercent = before ?? span.socPercent.find((soc) => !Number.isNaN(soc));
  if (socPercent === undefined) return null;
  const first = span.importWh.findIndex((wh) => !Number.isNaN(wh));
  const isHeld = (span.importWh[first] ?? 0) > NOTHING_WH && (span.dischargeWh[first] ?? 0) < NOTHING_WH;
  return { socPercent, isHeld };
}

/**
 * Surplus (generation less all consumption) within each bucket as two powers, W: `highW` for `highShare` of its time and `lowW` for the rest. Their mean is
 * what went into battery and grid less what came out of them, so that the balance holds exactly. NaN where it is not known.
 */
export interface SurplusLevels {
  readonly highW: Float64Array;
  readonly lowW: Float64Array;
  readonly highShare: Float64Array;
}

/** How the battery was run while it was recorded, as far as that is known. */
export interface RanAs {
  readonly maxChargeW: number;
  readonly maxDischargeW: number;
  readonly ratedAcW: number;
  readonly mode: PlanMode;
  /** W; null: none. */
  readonly exportLimitW: number | null;
  readonly minSocPercent: number;
}

const WH_TO_W = 3_600_000 / BUCKET_MS;
/** Less than this in five minutes is nothing, Wh. */
const NOTHING_WH = 0.5;
/** Battery power that differs by no more from the bucket before or after is held by a plan. */
const FLAT_SHARE = 0.01;
/** A battery takes less than it could once it is so full. */
const TAPERS_FROM_PERCENT = 94;
const EMPTY_MARGIN_PERCENT = 3.5;

/**
 * How surplus wandered within the buckets. Five-minute energies tell more than a mean: what was imported and exported, or charged and discharged, by turns,
 * and what was imported though the battery could have given more, lay on either side of a power at which flows part. Levels are as far from that power on
 * both sides as the energies above and below it say, so that a battery run as it was run gives what was recorded.
 */
export function surplusLevels(span: RecordedSpan, ran: RanAs): SurplusLevels {
  const { length, importWh, exportWh, chargeWh, dischargeWh } = span;
  const highW = new Float64Array(length).fill(Number.NaN);
  const lowW = new Float64Array(length).fill(Number.NaN);
  const highShare = new Float64Array(length).fill(1);
  for (let place = 0; place < length; place += 1) {
    const net =
      (exportWh[place] as number) +
      (chargeWh[place] as number) -
      (importWh[place] as number) -
      (dischargeWh[place] as number);
    if (Number.isNaN(net)) continue;
    const parting = partingAt(span, place, ran);
    if (parting === null) {
      highW[place] = net * WH_TO_W;
      lowW[place] = net * WH_TO_W;
      continue;
    }
    const { atW, aboveWh, belowWh } = parting;
    const distanceW = (aboveWh + belowWh) * WH_TO_W;
    highW[place] = atW + distanceW;
    lowW[place] = atW - distanceW;
    highShare[place] = aboveWh / (aboveWh + belowWh);
  }
  return { highW, lowW, highShare };
}

/** The power at which flows of a bucket part, and the energy on both sides of it. */
interface Parting {
  readonly atW: number;
  readonly aboveWh: number;
  readonly belowWh: number;
}

function partingAt(span: RecordedSpan, place: number, ran: RanAs): Parting | null {
  const bought = span.importWh[place] as number;
  const fed = span.exportWh[place] as number;
  const charged = span.chargeWh[place] as number;
  const given = span.dischargeWh[place] as number;
  const soc = span.socPercent[place] as number;
  const isBoth = (one: number, other: number) => one > NOTHING_WH && other > NOTHING_WH;
  if (isBoth(charged, given)) return { atW: 0, aboveWh: charged + fed, belowWh: given + bought };
  if (isBoth(bought, fed)) return { atW: (charged - given) * WH_TO_W, aboveWh: fed, belowWh: bought };
  if (ran.mode === 'peakShaving' || isFlat(span, place)) return null;
  if (isBoth(bought, given) && soc > ran.minSocPercent + EMPTY_MARGIN_PERCENT) {
    const generationW = Math.max(0, fed + charged - bought - given + (span.demandWh[place] as number)) * WH_TO_W;
    const mostW = Math.min(ran.maxDischargeW, Math.max(0, ran.ratedAcW - generationW));
    return parted(-mostW, { aboveWh: mostW / WH_TO_W - given, belowWh: bought });
  }
  if (!isBoth(charged, fed)) return null;
  if (ran.mode === 'feedInPriority') {
    const firstW = ran.exportLimitW ?? ran.ratedAcW;
    return parted(firstW, { aboveWh: charged, belowWh: firstW / WH_TO_W - fed });
  }
  if (!(soc < TAPERS_FROM_PERCENT)) return null;
  return parted(ran.maxChargeW, { aboveWh: fed, belowWh: ran.maxChargeW / WH_TO_W - charged });
}

const parted = (atW: number, energies: Omit<Parting, 'atW'>): Parting | null =>
  Math.min(energies.aboveWh, energies.belowWh) > NOTHING_WH ? { atW, ...energies } : null;

function isFlat({ chargeWh, dischargeWh }: RecordedSpan, place: number): boolean {
  const at = (index: number) => (dischargeWh[index] as number) - (chargeWh[index] as number);
  const own = at(place);
  return [place - 1, place + 1].some((beside) => Math.abs(at(beside) - own) <= FLAT_SHARE * Math.abs(own));
}
