import { BUCKET_MS } from '../accounting/bucket-span.ts';
import type { TimeBounds } from '../calendar.ts';
import type { RecordedSpan } from './recorded-span.ts';

/** Samples are laid on slots of this length, which divides the minute. */
export const SLOT_MS = 10_000;
export const BUCKET_SLOTS = BUCKET_MS / SLOT_MS;
const SLOT_HOURS = SLOT_MS / 3_600_000;

/** Samples further apart say too little of what was between them: of one a minute, one may be lost. */
export const MOST_APART_MS = 130_000;

/** Powers of a plant in slots of ten seconds from the beginning of a span on, W; NaN where they were not told. */
export interface SampledPowers {
  /** + = bought. */
  readonly gridW: Float64Array;
  /** + = discharges. */
  readonly batteryW: Float64Array;
}

/**
 * Lays samples of one power on the slots of a span: each has the mean of the samples within it, else the one that is nearest to its middle; NaN where it
 * lies between two that are more than `MOST_APART_MS` apart, before the first or after the last.
 *
 * @param timesMs ascending; those shortly before and after the span tell of its edges.
 * @param powerW at each of these times, W; NaN: not told.
 */
export function laidOnSlots(
  timesMs: ArrayLike<number>,
  powerW: ArrayLike<number>,
  { startMs, endMs }: TimeBounds,
): Float64Array {
  const slots = Math.max(0, Math.ceil((endMs - startMs) / SLOT_MS));
  const laid = new Float64Array(slots).fill(Number.NaN);
  const counts = new Uint16Array(slots);
  // What is told at a moment was measured before it.
  const slotOf = (ms: number): number => Math.ceil((ms - startMs) / SLOT_MS) - 1;
  let before = -1;
  for (let at = 0; at < timesMs.length; at += 1) {
    const [ms, watt] = [timesMs[at] as number, powerW[at] as number];
    if (Number.isNaN(watt)) continue;
    const own = slotOf(ms);
    const beforeMs = before < 0 ? Number.NEGATIVE_INFINITY : (timesMs[before] as number);
    if (ms - beforeMs <= MOST_APART_MS) {
      const first = Math.max(0, slotOf(beforeMs) + 1);
      for (let slot = first; slot < Math.min(own, slots); slot += 1) {
        const middleMs = startMs + (slot + 0.5) * SLOT_MS;
        laid[slot] = middleMs - beforeMs < ms - middleMs ? (powerW[before] as number) : watt;
      }
    }
    if (own >= 0 && own < slots) {
      const count = counts[own] as number;
      laid[own] = count === 0 ? watt : ((laid[own] as number) * count + watt) / (count + 1);
      counts[own] = count + 1;
    }
    before = at;
  }
  return laid;
}

/** Powers that lasted one after the other within a bucket, W, and for how many slots each. */
interface Runs {
  readonly gridW: number[];
  readonly batteryW: number[];
  readonly slots: number[];
}

function runsOf({ gridW, batteryW }: SampledPowers, place: number): Runs | null {
  const runs: Runs = { gridW: [], batteryW: [], slots: [] };
  for (let slot = place * BUCKET_SLOTS; slot < (place + 1) * BUCKET_SLOTS; slot += 1) {
    const [grid, battery] = [gridW[slot] ?? Number.NaN, batteryW[slot] ?? Number.NaN];
    if (Number.isNaN(grid + battery)) return null;
    const last = runs.slots.length - 1;
    if (runs.gridW[last] === grid && runs.batteryW[last] === battery)
      runs.slots[last] = (runs.slots[last] as number) + 1;
    else {
      runs.gridW.push(grid);
      runs.batteryW.push(battery);
      runs.slots.push(1);
    }
  }
  return runs;
}

/** Bought, fed in, given and charged: the parts into which energies are accounted. */
const PARTS = 4;

/** The parts of the powers of each run, one run after the other, W. */
function partsOf({ gridW, batteryW }: Runs): Float64Array {
  const parts = new Float64Array(PARTS * gridW.length);
  for (let run = 0; run < gridW.length; run += 1) {
    const [grid, battery] = [gridW[run] as number, batteryW[run] as number];
    parts[PARTS * run] = Math.max(0, grid);
    parts[PARTS * run + 1] = Math.max(0, -grid);
    parts[PARTS * run + 2] = Math.max(0, battery);
    parts[PARTS * run + 3] = Math.max(0, -battery);
  }
  return parts;
}

/** What each part comes to in runs of these lengths. */
function sumsOf(parts: Float64Array, slots: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(PARTS);
  for (let at = 0; at < parts.length; at += 1) {
    const part = at % PARTS;
    sums[part] = (sums[part] as number) + (parts[at] as number) * (slots[(at - part) / PARTS] as number);
  }
  return sums;
}

const SWEEPS = 30;
/** Of what a change of powers would explain, so much is taken at a time: several share in it. */
const TAKEN_SHARE = 0.3;
/** A change of less, W, says next to nothing of when it was. */
const LEAST_CHANGE_W = 20;
/** What is left of less than this in a bucket, W for a slot, is not sought any more. */
const LITTLE_LEFT_W = 5;

/**
 * Lengths of runs, slots, with which their powers come closest to what was accounted: when powers changed between two samples is not told, so each change is
 * moved towards one or the other, as far as half of either run; at the ends of the bucket all of it.
 *
 * @param wanted mean of each part in the bucket, W, times its slots.
 */
function lasting(parts: Float64Array, slots: readonly number[], wanted: Float64Array): Float64Array {
  const lengths = Float64Array.from(slots);
  const left = sumsOf(parts, slots);
  for (let part = 0; part < PARTS; part += 1) left[part] = (wanted[part] as number) - (left[part] as number);
  const ends = new Float64Array(slots.length);
  const last = slots.length - 1;
  const reachOf = (run: number): number => (slots[run] as number) * (run === 0 || run === last ? 1 : 0.5);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    if (left.every((watt) => Math.abs(watt) < LITTLE_LEFT_W)) break;
    for (let run = 0; run < last; run += 1) {
      let explains = 0;
      let size = LEAST_CHANGE_W ** 2;
      for (let at = PARTS * run; at < PARTS * (run + 1); at += 1) {
        const change = (parts[at] as number) - (parts[at + PARTS] as number);
        explains += change * (left[at % PARTS] as number);
        size += change * change;
      }
      const before = ends[run] as number;
      const wish = before + (TAKEN_SHARE * explains) / size;
      const moved = Math.min(reachOf(run + 1), Math.max(-reachOf(run), wish)) - before;
      ends[run] = before + moved;
      lengths[run] = (lengths[run] as number) + moved;
      lengths[run + 1] = (lengths[run + 1] as number) - moved;
      for (let part = 0; part < PARTS; part += 1) {
        const change = (parts[PARTS * run + part] as number) - (parts[PARTS * (run + 1) + part] as number);
        left[part] = (left[part] as number) - change * moved;
      }
    }
  }
  return lengths;
}

/** What samples tell of an energy is brought to what was accounted by no more than this factor. */
const MOST_SCALE = 2;
/** Samples that leave more of what flowed in five minutes unexplained than this share, or so many Wh, tell of something else. */
const MOST_LEFT_SHARE = 0.2;
const MOST_LEFT_WH = 5;

/** Surplus of a bucket as powers, W, that lasted one after the other for a share of it. */
export interface SampledSurplus {
  readonly powerW: Float64Array;
  readonly share: Float64Array;
}

/**
 * Surplus of a bucket by the samples of grid and battery. How long each lasted is told by what was accounted (see `lasting`); import, export, charge and
 * discharge are then each brought to it, and what is still left is spread evenly, so that the mean is that of the accounted energies. Null where samples
 * are missing, or do not tell of the same.
 */
export function sampledSurplus(
  { importWh, exportWh, chargeWh, dischargeWh }: RecordedSpan,
  place: number,
  samples: SampledPowers,
): SampledSurplus | null {
  const runs = runsOf(samples, place);
  if (runs === null) return null;
  const energiesWh = [importWh, exportWh, dischargeWh, chargeWh].map((energy) => energy[place] as number);
  const wanted = Float64Array.from(energiesWh, (wh) => wh / SLOT_HOURS);
  const parts = partsOf(runs);
  const slots = lasting(parts, runs.slots, wanted);
  const scales = sumsOf(parts, slots).map((told, part) =>
    told > 0 ? Math.min(MOST_SCALE, (wanted[part] as number) / told) : 1,
  );
  const [bought = 0, fed = 0, given = 0, charged = 0] = wanted;
  let left = fed + charged - bought - given;
  const powerW = slots.map((length, run) => {
    const of = (part: number) => (parts[PARTS * run + part] as number) * (scales[part] as number);
    const surplusW = of(1) + of(3) - of(0) - of(2);
    left -= surplusW * length;
    return surplusW;
  });
  const most = Math.max(MOST_LEFT_WH / SLOT_HOURS, MOST_LEFT_SHARE * (bought + fed + given + charged));
  if (Math.abs(left) > most) return null;
  return {
    powerW: powerW.map((watt) => watt + left / BUCKET_SLOTS),
    share: slots.map((length) => length / BUCKET_SLOTS),
  };
}
