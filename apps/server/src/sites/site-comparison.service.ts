import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { ComparedSums } from '@sonnenwarte/contract/sites/site-comparison';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { dayBounds, formatPlantTime, instantOf, localDay } from '@sonnenwarte/energy/calendar';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { type ComparedBy, counterpartOf, type DaySpan, dayAfter, daysBetween, spanOf } from './compared-span.ts';
import { type CountedSpan, newestBucketEnd, sumOfSpan } from './site-comparison.store.ts';
import { firstDayOf, type PeriodSum } from './site-energy.store.ts';
import { toFigures } from './site-figures.ts';
import type { SiteStores } from './sites.service.ts';
import { isHeld, type SiteFrame, siteFrame } from './sites.store.ts';

type Sites = typeof siteEndpoints;

/** A span of which more days are unknown is not compared. */
const MISSING_SHARE = 0.02;

/** The same moment on another day: by the clock of the plant. */
function sameMoment(untilMs: number, day: string, otherDay: string, timeZone: string): number {
  const { startMs, endMs } = dayBounds(otherDay, timeZone);
  if (untilMs <= dayBounds(day, timeZone).startMs) return startMs;
  const clock = formatPlantTime(untilMs, timeZone).slice(11, 16);
  const isMidnight = localDay(untilMs, timeZone) !== day;
  // The last day of a shorter month is the counterpart of all that it lacks.
  const isShorter = otherDay.slice(8) < day.slice(8) && otherDay.slice(0, 7) !== day.slice(0, 7);
  if (isMidnight || isShorter) return endMs;
  return Math.min(endMs, instantOf(`${otherDay}T${clock}`, timeZone));
}

/** A span and the one that it is set against, both up to the same moment. */
export interface ComparedSpans {
  readonly span: DaySpan;
  readonly other: DaySpan;
  /** Up to where a running span is counted; `null` where it is over. */
  readonly untilMs: number | null;
  readonly now: CountedSum;
  readonly then: CountedSum;
  /** Enough is known of both. */
  readonly isComparable: boolean;
  readonly firstDay: string | null;
}

interface CountedSum {
  readonly sum: PeriodSum;
  /** Of so many of its whole days something is known. */
  readonly days: number;
  readonly wholeDays: number;
}

/** Sums of a span of a plant that the caller may see, and of the one that it is set against. */
export async function comparedSpans(
  { telemetry, nowMs }: Pick<SiteStores, 'telemetry' | 'nowMs'>,
  site: SiteFrame,
  { by, date, against }: { by: ComparedBy; date: string; against: 'previous' | 'lastYear' },
): Promise<ComparedSpans> {
  const { timeZone } = site;
  const today = localDay(nowMs(), timeZone);
  const span = spanOf(by, date);
  const isRunning = span.first <= today && today <= span.last;
  const other = spanOf(by, counterpartOf(by, span.first, against));
  const todayBounds = dayBounds(today, timeZone);
  const untilMs = isRunning ? ((await newestBucketEnd(telemetry, site, todayBounds)) ?? todayBounds.startMs) : null;

  const whole = ({ first, last }: DaySpan): CountedSpan => ({
    first,
    before: dayAfter(last),
    startMs: todayBounds.startMs,
    endMs: todayBounds.startMs,
  });
  const until = (first: string, day: string, endMs: number): CountedSpan => ({
    first,
    before: day,
    startMs: dayBounds(day, timeZone).startMs,
    endMs,
  });
  const counterpart = counterpartOf(by, today, against);
  const nowSpan = untilMs === null ? whole(span) : until(span.first, today, untilMs);
  const thenSpan =
    untilMs === null
      ? whole(other)
      : until(other.first, counterpart, sameMoment(untilMs, today, counterpart, timeZone));

  const counted = async (each: CountedSpan): Promise<CountedSum> => ({
    ...(await sumOfSpan(telemetry, site, each)),
    wholeDays: daysBetween(each.first, each.before),
  });
  const [now, then, firstDay] = await Promise.all([counted(nowSpan), counted(thenSpan), firstDayOf(telemetry, site)]);
  const isThere = (each: CountedSpan, { days, wholeDays }: CountedSum): boolean => {
    const isOld = firstDay !== null && firstDay <= each.first;
    return isOld && isHeld(site, dayAfter(each.before, -1)) && wholeDays - days <= MISSING_SHARE * wholeDays;
  };
  const isComparable = isThere(nowSpan, now) && isThere(thenSpan, then);
  return { span, other, untilMs, now, then, isComparable, firstDay };
}

/** Figures of a span beside those of another one. */
export async function siteComparisonOf(
  stores: SiteStores,
  { stationID, span: by, date, against }: Parsed<Sites['comparison']>,
  { scope }: Scoped,
): Promise<Result<Sites['comparison']>> {
  const site = found(await siteFrame(stores.db, scope, stationID), 'siteNotFound');
  const compared = await comparedSpans(stores, site, { by, date, against });
  const { span, other, untilMs, now, then, isComparable, firstDay } = compared;
  const sumsOf = ({ sum }: CountedSum): ComparedSums => {
    const { generationWh, consumptionWh, feedInWh, purchaseWh, selfSufficiencyPercent } = toFigures(sum, site);
    return { generationWh, consumptionWh, feedInWh, purchaseWh, selfSufficiencyPercent };
  };
  return { ...span, against: other, untilMs, now: sumsOf(now), before: isComparable ? sumsOf(then) : null, firstDay };
}
