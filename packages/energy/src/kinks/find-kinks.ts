import { type CurveDay, HOUR_MS, median, outlineOf, type Series } from './curve.ts';

/** `fall` = less than the sun offers from one moment on, `flat` = power or feed-in stands at a limit, `gap` = nothing was told. */
export const kinkShapes = ['fall', 'flat', 'gap'] as const;
export type KinkShape = (typeof kinkShapes)[number];

/** A place in the curve of a day where it leaves what it would have been. */
export interface Kink {
  shape: KinkShape;
  /** Start of its first bucket and end of its last one, epoch ms. */
  fromMs: number;
  toMs: number;
  /** The curve came back within the light of the day. */
  recovers: boolean;
  /** Start of the bucket of its first half hour in which most is missing. */
  deepestMs: number;
  /** Power told then and power that there would have been, W; null of a gap. */
  lowW: number | null;
  expectedW: number | null;
  /** What is missing of each bucket, Wh; empty of a gap, of which it is not known. */
  lostWh: readonly number[];
}

/** Share of the day's clear peak: below it the sun is too low to tell a drop from its setting. */
const LIT_SHARE = 0.1;
/** A fall is at least this part of what was before, and of the day's clear peak. */
const FALL_SHARE = 0.15;
const FALL_OF_PEAK = 0.06;
/** ... and most of it comes within ten minutes: what is slower is the shape of the day. */
const SHARP_SHARE = 0.12;
/** ... of the day's clear peak: a rising curve does not fall. */
const SHARP_OF_PEAK = 0.03;
const RECOVERED_SHARE = 0.93;
/** ... or this part of its depth: what comes after is weather of its own. */
const RECOVERED_OF_DEPTH = 0.7;
/** What stands at a limit stays within this part of its top for half an hour. */
const FLAT_SHARE = 0.015;
const FLAT_BUCKETS = 6;
const FLAT_OF_PEAK = 0.04;
/** Up to this, feed-in may sway about its limit, W. */
const SWAY_W = 50;
/** Silence that is no late report. */
const GAP_BUCKETS = 3;
/** A kink that cost less of the clear day's energy does not matter. */
const LEAST_LOSS_SHARE = 0.004;
const BEFORE_BUCKETS = 6;
const LEAST_BEFORE = 3;
const DEEP_MS = HOUR_MS / 2;
/** Dips that lie closer are one. */
const APART_BUCKETS = 2;
export const MOST_KINKS = 8;

interface Frame {
  readonly day: CurveDay;
  readonly shape: readonly number[];
  readonly peakW: number;
  /** Buckets of which anything can be told by now. */
  readonly count: number;
}

/** Places of a kink in the day's buckets, `to` excluded, and how much of the shape there was on either side. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
  readonly recovers: boolean;
}

/**
 * Kinks of a day in the order of time: drops against the shape of the clear day and the size of the plant, flat tops, and gaps. Slopes of
 * dawn and dusk are none, nor is what cost less than 0.4 % of a clear day; of many, those that cost most.
 *
 * The reference within a kink goes along with the clear sky, by the shares of it that were there at both edges; where the
 * curve does not come back, by the share before.
 */
export function findKinks(day: CurveDay): Kink[] {
  const shape = day.clearW ?? outlineOf(day.pvW);
  const peakW = Math.max(0, ...shape);
  if (!(peakW > 0)) return [];
  const count = Math.min(day.pvW.length, Math.floor((day.untilMs - day.startMs) / day.bucketMs));
  const frame: Frame = { day, shape, peakW, count };
  const leastWh = LEAST_LOSS_SHARE * shape.reduce((sum, watts) => sum + watts, 0) * (day.bucketMs / HOUR_MS);
  const falls = joined(fallsIn(frame)).map((stretch) => kinkOf(frame, 'fall', stretch));
  const flats = flatsIn(frame).map((stretch) => kinkOf(frame, 'flat', stretch));
  const apart = flats.filter((flat) => !falls.some((fall) => fall.fromMs < flat.toMs && fall.toMs > flat.fromMs));
  const told = [...falls, ...apart].filter((kink) => lossOf(kink) >= leastWh);
  const gaps = gapsIn(frame).map((stretch): Kink => {
    const [fromMs, toMs] = [stretch.from, stretch.to].map((at) => day.startMs + at * day.bucketMs) as [number, number];
    return {
      shape: 'gap',
      fromMs,
      toMs,
      recovers: stretch.recovers,
      deepestMs: fromMs,
      lowW: null,
      expectedW: null,
      lostWh: [],
    };
  });
  const costliest = told.toSorted((a, b) => lossOf(b) - lossOf(a)).slice(0, MOST_KINKS);
  return [...costliest, ...gaps.slice(0, MOST_KINKS)].toSorted((a, b) => a.fromMs - b.fromMs);
}

/** Energy that a kink cost, Wh. */
export const lossOf = ({ lostWh }: Pick<Kink, 'lostWh'>): number => lostWh.reduce((sum, wh) => sum + wh, 0);

/** Share of the shape that a bucket has; NaN by night and where nothing was told. */
function shareAt({ day, shape, peakW }: Frame, at: number): number {
  const watts = day.pvW[at] ?? null;
  const offered = shape[at] ?? 0;
  return watts === null || offered < LIT_SHARE * peakW ? Number.NaN : watts / offered;
}

function fallsIn(frame: Frame): Stretch[] {
  const found: Stretch[] = [];
  let fresh: number[] = [];
  let level = Number.NaN;
  for (let at = 0; at < frame.count; at += 1) {
    const share = shareAt(frame, at);
    if (Number.isNaN(share)) {
      fresh = [];
      level = Number.NaN;
      continue;
    }
    if (fresh.length >= LEAST_BEFORE) level = median(fresh);
    if (isFall(frame, at, level)) {
      const stretch = fallFrom(frame, at, level);
      found.push(stretch);
      at = stretch.to - 1;
      fresh = [];
      continue;
    }
    fresh = [...fresh.slice(1 - BEFORE_BUCKETS), share];
  }
  return found;
}

function isFall(frame: Frame, at: number, level: number): boolean {
  const { day, shape, peakW } = frame;
  const share = shareAt(frame, at);
  const earlier = [at - 2, at - 1].filter((each) => !Number.isNaN(shareAt(frame, each)));
  const fell = Math.max(...earlier.map((each) => shareAt(frame, each))) - share;
  const fellW = Math.max(...earlier.map((each) => day.pvW[each] ?? 0)) - (day.pvW[at] ?? 0);
  return (
    share <= (1 - FALL_SHARE) * level &&
    (level - share) * (shape[at] ?? 0) >= FALL_OF_PEAK * peakW &&
    fell >= SHARP_SHARE * level &&
    fellW >= SHARP_OF_PEAK * peakW
  );
}

function fallFrom(frame: Frame, from: number, before: number): Stretch {
  let to = from + 1;
  let lowest = shareAt(frame, from);
  for (; to < frame.count; to += 1) {
    const share = shareAt(frame, to);
    const back = Math.min(RECOVERED_SHARE * before, lowest + RECOVERED_OF_DEPTH * (before - lowest));
    if (!(share < back)) break;
    lowest = Math.min(lowest, share);
  }
  const back = [to, to + 1, to + 2].filter((at) => at < frame.count).map((at) => shareAt(frame, at));
  const recovers = to < frame.count && !Number.isNaN(shareAt(frame, to));
  const after = recovers ? median(back.filter((share) => !Number.isNaN(share))) : before;
  return { from, to, before, after, recovers };
}

/** Dips that follow each other closely are told as one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const found: Stretch[] = [];
  for (const next of stretches) {
    const last = found.at(-1);
    if (last === undefined || next.from - last.to > APART_BUCKETS) found.push(next);
    else found[found.length - 1] = { ...next, from: last.from, before: last.before };
  }
  return found;
}

/** Stretches in which PV, or what is fed in, stands at its top while the sky offers more. */
function flatsIn(frame: Frame): Stretch[] {
  const { day, peakW } = frame;
  const fedInW = day.gridW.map((watts) => (watts === null ? null : Math.max(0, -watts)));
  const tops = flatRuns(frame, day.pvW, 0.4 * peakW, 0);
  const limits = flatRuns(frame, fedInW, LIT_SHARE * peakW, SWAY_W);
  return [...tops, ...limits.filter((limit) => !tops.some((top) => top.from < limit.to && top.to > limit.from))];
}

function flatRuns(frame: Frame, values: Series, leastW: number, swayW: number): Stretch[] {
  const found: Stretch[] = [];
  let from = 0;
  while (from < frame.count) {
    const to = endOfRun(frame, values, from, swayW);
    const stretch = to - from >= FLAT_BUCKETS ? flatOf(frame, from, to) : undefined;
    if (stretch !== undefined && (values[from] ?? 0) >= leastW) found.push(stretch);
    from = stretch === undefined ? from + 1 : to;
  }
  return found;
}

function endOfRun(frame: Frame, values: Series, from: number, swayW: number): number {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (let at = from; at < frame.count; at += 1) {
    const value = values[at] ?? null;
    if (value === null || Number.isNaN(shareAt(frame, at))) return at;
    low = Math.min(low, value);
    high = Math.max(high, value);
    if (high - low > Math.max(swayW, 2 * FLAT_SHARE * high)) return at;
  }
  return frame.count;
}

function flatOf(frame: Frame, from: number, to: number): Stretch | undefined {
  const sharesOf = (first: number, last: number): number[] =>
    Array.from({ length: last - first }, (_, place) => shareAt(frame, first + place)).filter(
      (each) => !Number.isNaN(each),
    );
  // The sun that comes up to the limit has the share of just before it.
  const before = median(sharesOf(Math.max(0, from - LEAST_BEFORE), from + 1));
  if (Number.isNaN(before)) return undefined;
  const after = median(sharesOf(to, Math.min(frame.count, to + LEAST_BEFORE)));
  const recovers = !Number.isNaN(after);
  const stretch = { from, to, before, after: recovers ? Math.max(after, before) : before, recovers };
  const most = Math.max(...missingOf(frame, stretch));
  return most >= FLAT_OF_PEAK * frame.peakW ? stretch : undefined;
}

/** What is missing of each bucket of a stretch, W. */
function missingOf({ day, shape }: Frame, { from, to, before, after }: Stretch): number[] {
  return Array.from({ length: to - from }, (_, place) => {
    const share = before + ((after - before) * (place + 0.5)) / (to - from);
    // A share of a low sun's light is not one of noon's: no plant gives more than it can.
    const offeredW = Math.min(day.mostW, share * (shape[from + place] ?? 0));
    return Math.max(0, offeredW - (day.pvW[from + place] ?? 0));
  });
}

function kinkOf(frame: Frame, shape: KinkShape, stretch: Stretch): Kink {
  const { day } = frame;
  const missingW = missingOf(frame, stretch);
  const early = missingW.slice(0, DEEP_MS / day.bucketMs);
  const deepest = early.indexOf(Math.max(...early));
  const lowW = day.pvW[stretch.from + deepest] ?? 0;
  return {
    shape,
    fromMs: day.startMs + stretch.from * day.bucketMs,
    toMs: day.startMs + stretch.to * day.bucketMs,
    recovers: stretch.recovers,
    deepestMs: day.startMs + (stretch.from + deepest) * day.bucketMs,
    lowW,
    expectedW: lowW + (missingW[deepest] ?? 0),
    lostWh: missingW.map((watts) => (watts * day.bucketMs) / HOUR_MS),
  };
}

/** Silence in daylight, between values or since the last of them. */
function gapsIn({ day, shape, peakW, count }: Frame): Stretch[] {
  const found: Stretch[] = [];
  const first = day.pvW.findIndex((watts) => watts !== null);
  if (first < 0) return found;
  const isLit = (at: number): boolean => day.clearW === null || (shape[at] ?? 0) >= LIT_SHARE * peakW;
  for (let at = first; at < count; at += 1) {
    if ((day.pvW[at] ?? null) !== null) continue;
    let to = at;
    while (to < count && (day.pvW[to] ?? null) === null) to += 1;
    const lit = Array.from({ length: to - at }, (_, place) => at + place).filter(isLit).length;
    const isOver = to < count;
    if (lit >= GAP_BUCKETS && (isOver || day.clearW !== null)) {
      found.push({ from: at, to, before: 0, after: 0, recovers: isOver });
    }
    at = to;
  }
  return found;
}
