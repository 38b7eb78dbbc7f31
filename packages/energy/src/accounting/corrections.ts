import type { DeviceBucket } from './bucket-cell.ts';
import { BUCKET_MS } from './bucket-span.ts';
import type { EnergyChannel } from './channels.ts';

/** Energy of one channel of a device over whole buckets, as somebody has said that it was. */
export interface Correction {
  channel: EnergyChannel;
  /** Start of the first bucket and end of the last, epoch ms. */
  fromMs: number;
  toMs: number;
  /** Energy of each bucket, Wh; null: it is not known, and nothing stands in for it. */
  partsWh: readonly number[] | null;
}

export type Span = Pick<Correction, 'fromMs' | 'toMs'>;

/** A span is corrected no longer than this. */
export const LONGEST_CORRECTION_MS = 31 * 24 * 3_600_000;

const DAY_MS = 24 * 3_600_000;
/** Days on each side of a span by which it is estimated. */
export const NEIGHBOUR_DAYS = 7;
/** Of the buckets of a span, so many at least must others have told for it to be estimated by them. */
const LEAST_TOLD = 0.9;

export const bucketsOfSpan = ({ fromMs, toMs }: Span): number => Math.round((toMs - fromMs) / BUCKET_MS);

export const overlaps = (one: Span, other: Span): boolean => one.fromMs < other.toMs && other.fromMs < one.toMs;

/**
 * What a device did in a bucket, with what was corrected of it; undefined where nothing is known. What the device told is left as it is:
 * without corrections it is the same again, to the last digit.
 */
export function correctedBucket(
  bucket: DeviceBucket | undefined,
  bucketMs: number,
  corrections: readonly Correction[],
): DeviceBucket | undefined {
  let corrected: DeviceBucket | undefined;
  for (const { channel, fromMs, toMs, partsWh } of corrections) {
    if (bucketMs < fromMs || bucketMs >= toMs) continue;
    corrected ??= copyOf(bucket, bucketMs);
    corrected.corrected = [...(corrected.corrected ?? []), channel];
    const wh = partsWh?.[Math.round((bucketMs - fromMs) / BUCKET_MS)];
    const qualities = { ...corrected.energyQuality };
    if (wh === undefined) {
      delete corrected.energyWh[channel];
      delete qualities[channel];
    } else {
      corrected.energyWh[channel] = wh;
      qualities[channel] = 'corrected';
    }
    corrected.energyQuality = qualities;
  }
  return corrected ?? bucket;
}

function copyOf(bucket: DeviceBucket | undefined, bucketMs: number): DeviceBucket {
  if (bucket !== undefined) return { ...bucket, energyWh: { ...bucket.energyWh } };
  return { bucketMs, energyWh: {}, powerW: {}, maxPowerW: {}, samples: 0, quality: 'corrected' };
}

/** Equal parts of an energy. */
export const evenParts = (energyWh: number, buckets: number): number[] =>
  Array.from({ length: buckets }, () => energyWh / buckets);

/** Parts of an energy in proportion to others; equal ones where those are nothing. */
export function shapedParts(energyWh: number, shapeWh: readonly number[]): number[] {
  const wholeWh = sum(shapeWh);
  if (!(wholeWh > 0)) return evenParts(energyWh, shapeWh.length);
  return shapeWh.map((wh) => (energyWh * wh) / wholeWh);
}

/** Parts on a straight line from what stands before a span to what stands after it. */
export function linearParts(beforeWh: number, afterWh: number, buckets: number): number[] {
  return Array.from({ length: buckets }, (_, place) => beforeWh + ((afterWh - beforeWh) * (place + 1)) / (buckets + 1));
}

/**
 * What a device did in a span as others went meanwhile: theirs, by the ratio of the two around it. Undefined where the others did
 * not tell enough of it, or nothing by which to compare.
 *
 * @param own energy of the device by bucket, Wh; within the span it is not looked at.
 */
export function partsByOthers(
  own: ReadonlyMap<number, number>,
  others: ReadonlyMap<number, number>,
  span: Span,
): number[] | undefined {
  let ownWh = 0;
  let othersWh = 0;
  for (const [bucketMs, wh] of own) {
    const otherWh = others.get(bucketMs);
    if (otherWh === undefined || (bucketMs >= span.fromMs && bucketMs < span.toMs)) continue;
    ownWh += wh;
    othersWh += otherWh;
  }
  if (!(othersWh > 0) || !(ownWh > 0)) return undefined;
  const theirs = Array.from({ length: bucketsOfSpan(span) }, (_, place) => others.get(span.fromMs + place * BUCKET_MS));
  const told = theirs.filter((wh) => wh !== undefined).length;
  if (told < LEAST_TOLD * theirs.length) return undefined;
  return theirs.map((wh = 0) => (wh * ownWh) / othersWh);
}

/**
 * What a device did in a span as on the days around it: the mean of the same time on up to seven days before and after. Undefined
 * where a time of the span has none.
 */
export function partsByDays(own: ReadonlyMap<number, number>, span: Span): number[] | undefined {
  const parts: number[] = [];
  for (let bucketMs = span.fromMs; bucketMs < span.toMs; bucketMs += BUCKET_MS) {
    const known: number[] = [];
    const firstDay = Math.ceil((span.fromMs - bucketMs) / DAY_MS) - NEIGHBOUR_DAYS;
    const lastDay = Math.floor((span.toMs - bucketMs) / DAY_MS) + NEIGHBOUR_DAYS;
    for (let day = firstDay; day <= lastDay; day += 1) {
      const otherMs = bucketMs + day * DAY_MS;
      const wh = own.get(otherMs);
      if (wh !== undefined && (otherMs < span.fromMs || otherMs >= span.toMs)) known.push(wh);
    }
    if (known.length === 0) return undefined;
    parts.push(sum(known) / known.length);
  }
  return parts;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
