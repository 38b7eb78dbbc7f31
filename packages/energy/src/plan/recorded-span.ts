import { BUCKET_MS } from '../accounting/bucket-span.ts';
import { type TimeBounds, zoneOffsetMs } from '../calendar.ts';

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

const DAY_MINUTES = 1_440;
/** A day of which less is known says nothing of the whole of it. */
const WHOLE_DAY_SHARE = 0.8;

/** How many of the plant's days in a span are known as far as that they can be told. */
export function wholeDays({
  length,
  weekMinute,
  demandWh,
}: Pick<RecordedSpan, 'length' | 'weekMinute' | 'demandWh'>): number {
  const dayOf = (place: number) => Math.floor((weekMinute[place] as number) / DAY_MINUTES);
  let whole = 0;
  let first = 0;
  let known = 0;
  for (let place = 0; place < length; place += 1) {
    if (!Number.isNaN(demandWh[place])) known += 1;
    if (place + 1 < length && dayOf(place + 1) === dayOf(place)) continue;
    if (known >= WHOLE_DAY_SHARE * (place + 1 - first)) whole += 1;
    first = place + 1;
    known = 0;
  }
  return whole;
}

/** Less than this in five minutes is nothing, Wh. */
export const NOTHING_WH = 0.5;

/** A battery when a span begins. */
export interface Opening {
  readonly socPercent: number;
  /** It does not discharge until it is well above its minimum again. */
  readonly isHeld: boolean;
}

/**
 * How a battery stood when a span began: at the state of charge before it, else the first one told; held where it did not give when something was wanted
 * first, but that was bought. Null: nothing is told of it.
 */
export function openingOf({ socPercent, importWh, dischargeWh }: RecordedSpan, before: number | null): Opening | null {
  const opening = before ?? socPercent.find((soc) => !Number.isNaN(soc));
  if (opening === undefined) return null;
  const wanted = importWh.findIndex((wh, place) => Math.max(wh, dischargeWh[place] as number) > NOTHING_WH);
  return { socPercent: opening, isHeld: wanted >= 0 && (dischargeWh[wanted] as number) < NOTHING_WH };
}
