import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { ComparedSums } from '@sonnenwarte/contract/sites/site-comparison';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { dayBounds, formatPlantTime, instantOf, localDay } from '@sonnenwarte/energy/calendar';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { counterpartOf, dayAfter, daysBetween, spanOf } from './compared-span.ts';
import { type CountedSpan, newestBucketEnd, sumOfSpan } from './site-comparison.store.ts';
import { firstDayOf } from './site-energy.store.ts';
import { toFigures } from './site-figures.ts';
import type { SiteStores } from './sites.service.ts';
import { isHeld, siteFrame } from './sites.store.ts';

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

/** Figures of a span beside those of another one. */
export async function siteComparisonOf(
  { db, telemetry, nowMs }: SiteStores,
  { stationID, span: by, date, against }: Parsed<Sites['comparison']>,
  { scope }: Scoped,
): Promise<Result<Sites['comparison']>> {
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  const { timeZone } = site;
  const today = localDay(nowMs(), timeZone);
  const span = spanOf(by, date);
  const isRunning = span.first <= today && today <= span.last;
  const other = spanOf(by, counterpartOf(by, span.first, against));
  const todayBounds = dayBounds(today, timeZone);
  const untilMs = isRunning ? ((await newestBucketEnd(telemetry, site, todayBounds)) ?? todayBounds.startMs) : null;

  const whole = ({ first, last }: typeof span): CountedSpan => ({
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

  const [now, then, firstDay] = await Promise.all([
    sumOfSpan(telemetry, site, nowSpan),
    sumOfSpan(telemetry, site, thenSpan),
    firstDayOf(telemetry, site),
  ]);
  const isThere = (counted: CountedSpan, days: number): boolean => {
    const wanted = daysBetween(counted.first, counted.before);
    const isOld = firstDay !== null && firstDay <= counted.first;
    return isOld && isHeld(site, dayAfter(counted.before, -1)) && wanted - days <= MISSING_SHARE * wanted;
  };
  const sumsOf = ({ sum }: typeof now): ComparedSums => {
    const { generationWh, consumptionWh, feedInWh, purchaseWh, selfSufficiencyPercent } = toFigures(sum, site);
    return { generationWh, consumptionWh, feedInWh, purchaseWh, selfSufficiencyPercent };
  };
  const isComparable = isThere(nowSpan, now.days) && isThere(thenSpan, then.days);
  return { ...span, against: other, untilMs, now: sumsOf(now), before: isComparable ? sumsOf(then) : null, firstDay };
}
