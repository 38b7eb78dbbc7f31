import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { type RecordedSpan, weekMinuteOf, wholeDays } from '@sonnenwarte/energy/plan/recorded-span';

const QUARTERS = 96;
const BUCKETS_OF_DAY = 288;
const DAY_MINUTES = 1_440;
const WH_TO_W = 3_600_000 / BUCKET_MS;
const LOW = 0.1;
const HIGH = 0.9;

/** What a plant makes and takes on its days, by quarter of an hour; and how far whole days are from their mean. */
export interface DayShape {
  readonly generationW: readonly number[];
  readonly demandW: readonly number[];
  /** Of the days the tenth with least and the tenth with most consumption, over their mean. */
  readonly demandLow: number;
  readonly demandHigh: number;
}

/** A value for each quarter of the day: what is missing goes evenly from the one before to the one after it, around midnight too. */
function withoutHoles(values: readonly number[]): number[] {
  return values.map((value, at) => {
    if (!Number.isNaN(value)) return value;
    const beside = (step: 1 | -1) => {
      let away = 1;
      while (Number.isNaN(values[(at + QUARTERS + step * away) % QUARTERS]) && away < QUARTERS) away += 1;
      return { away, value: values[(at + QUARTERS + step * away) % QUARTERS] as number };
    };
    const [before, after] = [beside(-1), beside(1)];
    return before.value + ((after.value - before.value) * before.away) / (before.away + after.away);
  });
}

/** The mean day of what was recorded; null where no whole day was: what nobody told of a house is not that it takes nothing. */
export function dayShape(span: RecordedSpan): DayShape | null {
  if (wholeDays(span) === 0) return null;
  const { length, importWh, exportWh, chargeWh, dischargeWh, demandWh, weekMinute } = span;
  const generation = new Float64Array(QUARTERS);
  const demand = new Float64Array(QUARTERS);
  const counts = new Float64Array(QUARTERS);
  const days: number[] = [];
  let dayWh = 0;
  let known = 0;
  for (let place = 0; place < length; place += 1) {
    if (place % BUCKETS_OF_DAY === 0 && place > 0) {
      if (known > BUCKETS_OF_DAY / 2) days.push((dayWh / known) * BUCKETS_OF_DAY);
      dayWh = 0;
      known = 0;
    }
    const takenWh = demandWh[place] as number;
    if (Number.isNaN(takenWh)) continue;
    const surplusWh =
      (exportWh[place] as number) +
      (chargeWh[place] as number) -
      (importWh[place] as number) -
      (dischargeWh[place] as number);
    const quarter = Math.floor(((weekMinute[place] as number) % DAY_MINUTES) / 15);
    generation[quarter] = (generation[quarter] as number) + Math.max(0, surplusWh + takenWh);
    demand[quarter] = (demand[quarter] as number) + takenWh;
    counts[quarter] = (counts[quarter] as number) + 1;
    dayWh += takenWh;
    known += 1;
  }
  if (known > BUCKETS_OF_DAY / 2) days.push((dayWh / known) * BUCKETS_OF_DAY);
  const meanOf = (sums: Float64Array) =>
    withoutHoles([...sums].map((sum, at) => (sum / (counts[at] as number)) * WH_TO_W));
  const sorted = days.sort((one, other) => one - other);
  const mean = sorted.reduce((sum, day) => sum + day, 0) / Math.max(1, sorted.length);
  const at = (share: number) => {
    const day = sorted[Math.round(share * (sorted.length - 1))];
    return day === undefined || !(mean > 0) ? 1 : day / mean;
  };
  return { generationW: meanOf(generation), demandW: meanOf(demand), demandLow: at(LOW), demandHigh: at(HIGH) };
}

/** What is expected of a quarter of an hour, W: generation in the middle, and as it is exceeded in nine and in one of ten cases. */
export interface ExpectedQuarter {
  readonly tsMs: number;
  readonly generationW: number;
  readonly lowGenerationW: number;
  readonly highGenerationW: number;
  readonly demandW: number;
}

/** Energy that the arrays have still to give today, Wh: eight of ten such days end between the first and the last. */
export interface RestOfSun {
  readonly p10Wh: number;
  readonly p50Wh: number;
  readonly p90Wh: number;
}

/**
 * What is expected from a time until midnight: consumption as on the mean day, generation in its shape, as much as is told of the rest of the day; without
 * that as on the mean day.
 */
export function expectedDay(
  shape: DayShape,
  rest: RestOfSun | null,
  { fromMs, endMs, zone }: { fromMs: number; endMs: number; zone: string },
): ExpectedQuarter[] {
  const firstMs = Math.ceil(fromMs / (3 * BUCKET_MS)) * 3 * BUCKET_MS;
  const times: number[] = [];
  for (let tsMs = firstMs; tsMs < endMs; tsMs += 3 * BUCKET_MS) times.push(tsMs);
  const quarterOf = (tsMs: number) => Math.floor((weekMinuteOf(tsMs, zone) % DAY_MINUTES) / 15);
  const usualWh = times.reduce((sum, tsMs) => sum + (shape.generationW[quarterOf(tsMs)] ?? 0) / 4, 0);
  const share = (wh: number | undefined) => (wh === undefined || !(usualWh > 0) ? 1 : Math.max(0, wh) / usualWh);
  return times.map((tsMs) => {
    const usualW = shape.generationW[quarterOf(tsMs)] ?? 0;
    return {
      tsMs,
      generationW: usualW * share(rest?.p50Wh),
      lowGenerationW: usualW * share(rest?.p10Wh),
      highGenerationW: usualW * share(rest?.p90Wh),
      demandW: shape.demandW[quarterOf(tsMs)] ?? 0,
    };
  });
}
