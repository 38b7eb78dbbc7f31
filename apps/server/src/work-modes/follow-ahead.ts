import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { systemScope } from '../access/scope.ts';
import { sitesNow } from '../sites/site-live.store.ts';
import { type DayShape, dayShape, type ExpectedQuarter, expectedDay } from './expected-day.ts';
import { type Come, energiesSince, LEAST_BUCKETS } from './follow-energies.store.ts';
import { sunAhead } from './rest-of-sun.ts';
import type { SiteGround } from './site-ground.ts';
import type { PlanParts } from './what-if.service.ts';

export const QUARTER_MS = 900_000;
export const WH_OF_QUARTER = QUARTER_MS / 3_600_000;

/** Of what a day has taken more or less until now, half goes on until its end; within bounds. */
const GOES_ON = 0.5;
const LEAST_FACTOR = 0.5;
const MOST_FACTOR = 2;

export interface Ahead {
  /** Without a gap from the next quarter of an hour on; none where nothing is recorded. */
  readonly quarters: readonly ExpectedQuarter[];
  /** What the battery holds now. */
  readonly socPercent: number | null;
}

/** By how much the rest of a day takes more or less than the mean day, by what it has taken until now. */
export function demandFactor(shape: DayShape, come: Come | undefined, fromMs: number, zone: string): number {
  if (come === undefined || come.buckets < LEAST_BUCKETS) return 1;
  const passed = expectedDay(shape, null, { fromMs, endMs: come.untilMs, zone });
  const meanWh = passed.reduce((sum, { demandW }) => sum + demandW * WH_OF_QUARTER, 0) / Math.max(1, 3 * passed.length);
  if (!(meanWh > 0)) return 1;
  const ratio = come.demandWh / come.buckets / meanWh;
  return Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, 1 + GOES_ON * (ratio - 1)));
}

/** What is expected of a plant until a time within today or tomorrow, and what its battery holds now. */
export async function aheadOf(
  { db, telemetry, records, forecast }: PlanParts,
  { site }: Pick<SiteGround, 'site'>,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<Ahead> {
  const zone = site.timeZone;
  const today = dayBounds(localDay(nowMs, zone), zone);
  const [month, sun, [live], come] = await Promise.all([
    records.of(site, 'month'),
    sunAhead(forecast, site, systemScope),
    sitesNow(db, systemScope, [site.id], nowMs),
    energiesSince(telemetry, [{ key: site.key, fromMs: today.startMs }]),
  ]);
  const socPercent = live?.soc_percent ?? null;
  const shape = dayShape(month.span);
  if (shape === null) return { quarters: [], socPercent };
  const factor = demandFactor(shape, come.get(site.key), today.startMs, zone);
  const ofToday = expectedDay(shape, sun.today, { fromMs: nowMs, endMs: today.endMs, zone });
  const tomorrow = dayBounds(localDay(today.endMs, zone), zone);
  const quarters = [
    ...ofToday.map((quarter) => ({ ...quarter, demandW: quarter.demandW * factor })),
    ...expectedDay(shape, sun.tomorrow, { fromMs: tomorrow.startMs, endMs: tomorrow.endMs, zone }),
  ];
  return { quarters: quarters.filter(({ tsMs }) => tsMs < untilMs), socPercent };
}
