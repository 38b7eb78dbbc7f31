import { BUCKET_MS } from '../accounting/bucket-span.ts';
import type { PlanMode } from './battery-plan.ts';
import { NOTHING_WH, type RecordedSpan } from './recorded-span.ts';
import { type SampledPowers, sampledSurplus } from './sampled-powers.ts';
import { CourseWriter, type SurplusCourse } from './surplus-course.ts';

/** How the battery was run while a bucket was recorded, as far as that is known. */
export interface RanAs {
  readonly maxChargeW: number;
  readonly maxDischargeW: number;
  readonly ratedAcW: number;
  readonly mode: PlanMode;
  /** W; null: none. */
  readonly exportLimitW: number | null;
  readonly minSocPercent: number;
}

/** The same by the place of each bucket: settings change within a span. */
export type RanAt = (place: number) => RanAs;

const WH_TO_W = 3_600_000 / BUCKET_MS;
/** Battery power that differs by no more from the bucket before or after is held by a plan. */
const FLAT_SHARE = 0.01;
/** A battery takes less than it could once it is so full. */
const TAPERS_FROM_PERCENT = 94;
const EMPTY_MARGIN_PERCENT = 3.5;

/**
 * How surplus went within the buckets of a span. Their mean is what went into battery and grid less what came out of them, so that the balance of each
 * bucket holds. Where samples tell of them, surplus goes with these (see `sampledSurplus`). Elsewhere five-minute energies still tell more
 * than a mean: what was imported and exported, or charged and discharged, by turns, and what was imported though the battery could have given more, lay on
 * either side of a power at which flows part. There it is two levels, as far from that power on both sides as the energies above and below it say, so that a
 * battery run as it was run gives what was recorded.
 */
export function recordedSurplus(span: RecordedSpan, ranAt: RanAt, samples?: SampledPowers): SurplusCourse {
  const writer = new CourseWriter(span.length);
  for (let place = 0; place < span.length; place += 1) {
    const net = netWh(span, place);
    if (Number.isNaN(net)) {
      writer.addBucket(Number.NaN);
      continue;
    }
    const sampled = samples === undefined ? null : sampledSurplus(span, place, samples);
    if (sampled !== null) {
      writer.addRuns(sampled.powerW, sampled.share);
      continue;
    }
    const parting = partingAt(span, place, ranAt(place));
    if (parting === null) {
      writer.addBucket(net * WH_TO_W);
      continue;
    }
    const { aboveWh, belowWh } = parting;
    const distanceW = (aboveWh + belowWh) * WH_TO_W;
    const atW = (net - aboveWh + belowWh) * WH_TO_W;
    writer.addBucket(atW + distanceW, atW - distanceW, aboveWh / (aboveWh + belowWh));
  }
  return writer.course;
}

const netWh = ({ importWh, exportWh, chargeWh, dischargeWh }: RecordedSpan, place: number): number =>
  (exportWh[place] as number) +
  (chargeWh[place] as number) -
  (importWh[place] as number) -
  (dischargeWh[place] as number);

/** The energy of a bucket on both sides of the power at which its flows part. */
interface Parting {
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
  if (isBoth(charged, given)) return { aboveWh: charged + fed, belowWh: given + bought };
  if (isBoth(bought, fed)) return { aboveWh: fed, belowWh: bought };
  if (ran.mode === 'peakShaving' || isFlat(span, place)) return null;
  if (isBoth(bought, given) && soc > ran.minSocPercent + EMPTY_MARGIN_PERCENT) {
    const generationW = Math.max(0, fed + charged - bought - given + (span.demandWh[place] as number)) * WH_TO_W;
    const mostW = Math.min(ran.maxDischargeW, Math.max(0, ran.ratedAcW - generationW));
    return parted(mostW / WH_TO_W - given, bought);
  }
  if (!isBoth(charged, fed)) return null;
  if (ran.mode === 'feedInPriority') {
    return parted(charged, (ran.exportLimitW ?? ran.ratedAcW) / WH_TO_W - fed);
  }
  if (!(soc < TAPERS_FROM_PERCENT)) return null;
  return parted(fed, ran.maxChargeW / WH_TO_W - charged);
}

const parted = (aboveWh: number, belowWh: number): Parting | null =>
  Math.min(aboveWh, belowWh) > NOTHING_WH ? { aboveWh, belowWh } : null;

function isFlat({ chargeWh, dischargeWh }: RecordedSpan, place: number): boolean {
  const at = (index: number) => (dischargeWh[index] as number) - (chargeWh[index] as number);
  const own = at(place);
  return [place - 1, place + 1].some((beside) => Math.abs(at(beside) - own) <= FLAT_SHARE * Math.abs(own));
}
