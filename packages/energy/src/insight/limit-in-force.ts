import type { ExpectedDay } from './expected-power.ts';
import type { PlantDay } from './plant-day.ts';

/** Limits that devices of a plant told, of whatever time: whether they were in force on a day follows from the day. */
export interface ToldLimits {
  /** What an energy manager told to be in force on that day, W; null = none. */
  inForceW: number | null;
  /** What inverters are set to feed in at most, W: that of the whole plant, or each its own part. */
  exportW: readonly number[];
  /** What inverters are set to give at most, W, together; null = as much as they are rated for, or not known. */
  powerW: number | null;
}

export type LimitsInForce = Pick<PlantDay, 'exportLimitW' | 'powerLimitW' | 'isLimitTold'>;

/** Half an hour at a limit shows that it holds. */
const LEAST_BUCKETS = 6;
/** A control is late now and then: so many buckets may lie above. */
const MOST_ABOVE = 3;
const marginOf = (limitW: number): number => Math.max(30, 0.03 * limitW);

/** A curve that nobody told to be held is held where it stands within so much of its top for so long ... */
const FLAT_SHARE = 0.01;
const FLAT_BUCKETS = 18;
/** ... while the clear sky went by so much of its own top ... */
const SKY_SHARE = 0.08;
/** ... at no less than so much of the plant's size, below what its inverters are rated for. */
const LEAST_SIZE_SHARE = 0.02;
const RATED_SHARE = 0.97;

/** What held a plant back on a day: what is told to be in force, what is set and was kept to, or a feed-in that stood though the sun went on. */
export function limitsInForce(
  { gridW, pvW, expected }: Pick<PlantDay, 'gridW' | 'pvW' | 'expected'>,
  { inForceW, exportW, powerW }: ToldLimits,
): LimitsInForce {
  const fedInW = gridW.map((watts) => -watts);
  const sumW = exportW.reduce((sum, each) => sum + each, 0);
  const setW = [...new Set([...exportW, sumW])].find((limitW) => limitW > 0 && isKept(fedInW, limitW));
  const powerLimitW = powerW !== null && powerW > 0 && isKept(pvW, powerW) ? powerW : null;
  // With a house that always uses the same, what is held stands in both.
  const flatW = expected === null || powerLimitW !== null ? null : flatTopOf(fedInW, pvW, expected);
  return {
    exportLimitW: inForceW ?? setW ?? flatW,
    powerLimitW,
    isLimitTold: inForceW !== null || exportW.length > 0,
  };
}

/** Whether a power stood at a limit, and never above it. */
function isKept(watts: Float64Array, limitW: number): boolean {
  const marginW = marginOf(limitW);
  let at = 0;
  let above = 0;
  for (const each of watts) {
    if (Math.abs(each - limitW) <= marginW) at += 1;
    else if (each > limitW) above += 1;
  }
  return at >= LEAST_BUCKETS && above <= MOST_ABOVE;
}

/** The top of what is fed in, where it is flatter than any sky makes it; else null. */
function flatTopOf(fedInW: Float64Array, pvW: Float64Array, { clearW, kwp, model }: ExpectedDay): number | null {
  const known = fedInW.filter((watts) => watts > LEAST_SIZE_SHARE * kwp * 1_000).sort();
  const topW = known.at(-1 - MOST_ABOVE);
  if (topW === undefined) return null;
  const ratedW = model.ratedAcW ?? Number.POSITIVE_INFINITY;
  const skyW: number[] = [];
  for (let at = 0; at < fedInW.length; at += 1) {
    const isFlat = Math.abs((fedInW[at] as number) - topW) <= Math.max(10, FLAT_SHARE * topW);
    if (isFlat && (pvW[at] as number) < RATED_SHARE * ratedW) skyW.push(clearW[at] as number);
  }
  const highestW = Math.max(0, ...skyW);
  return skyW.length >= FLAT_BUCKETS && Math.min(...skyW) <= (1 - SKY_SHARE) * highestW ? topW : null;
}
