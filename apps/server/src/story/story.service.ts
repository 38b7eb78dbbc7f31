import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { storyEndpoints } from '@sonnenwarte/contract/story/story';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import { type StoryEnergies, type StoryFacts, storyOf } from '@sonnenwarte/energy/story/story';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { kinksOfSite } from '../kinks/kinks.service.ts';
import type { Uses } from '../services.ts';
import { toldFrom } from '../sites/compared-span.ts';
import { daylightOf } from '../sites/daylight.ts';
import { alarmsOfSite } from '../sites/site-alarms.store.ts';
import { comparedSpans } from '../sites/site-comparison.service.ts';
import { daysGrouped, type PeriodSum } from '../sites/site-energy.store.ts';
import { toFigures } from '../sites/site-figures.ts';
import { isHeld, type SiteFrame, siteFrame } from '../sites/sites.store.ts';

type Stores = Uses<'db' | 'telemetry' | 'nowMs'>;
type Call = (typeof storyEndpoints)['story'];

const DAY_MS = 86_400_000;
const EARLIER_DAYS = 30;

const dayLater = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

function energiesOf(sum: PeriodSum, site: SiteFrame): StoryEnergies {
  const { generationWh, consumptionWh, purchaseWh, selfSufficiencyPercent } = toFigures(sum, site);
  return {
    generationWh,
    consumptionWh,
    purchaseWh,
    selfSufficiencyPercent,
    toHouseWh: withoutNoise(sum.pv_to_load_wh),
    toCarWh: withoutNoise(sum.pv_to_charger_wh),
    toBatteryWh: withoutNoise(sum.pv_to_battery_wh),
    toGridWh: withoutNoise(sum.pv_to_grid_wh),
    lossWh: withoutNoise(sum.loss_wh),
  };
}

const NOTHING_KNOWN: StoryEnergies = {
  generationWh: null,
  consumptionWh: null,
  purchaseWh: null,
  selfSufficiencyPercent: null,
  toHouseWh: null,
  toCarWh: null,
  toBatteryWh: null,
  toGridWh: null,
  lossWh: null,
};

/** The most telling facts of a span of a plant. */
export async function siteStoryOf(
  stores: Stores,
  { stationID, span: by, date }: Parsed<Call>,
  { scope }: Scoped,
): Promise<Result<Call>> {
  const { db, telemetry, nowMs } = stores;
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  const compared = await comparedSpans(stores, site, { by, date, against: 'previous' });
  const { first, last } = compared.span;
  const bounds = { startMs: dayBounds(first, site.timeZone).startMs, endMs: dayBounds(last, site.timeZone).endMs };
  const isDay = by === 'day';
  // While history comes, a span is told where the figures tell theirs.
  const isTold = isHeld(site, toldFrom(first, localDay(nowMs(), site.timeZone)));
  const [alarms, earlier, kinks] = await Promise.all([
    alarmsOfSite(db, scope, site.id, { span: bounds, most: 1 }),
    isDay && isTold
      ? daysGrouped(telemetry, site, { first: dayLater(first, -EARLIER_DAYS), last: dayLater(first, -1) }, 'day', [
          'pv_wh',
        ])
      : null,
    isDay && isTold ? kinksOfSite(stores, site, first) : [],
  ]);
  const [worst] = alarms.alarms;
  const drops = kinks.flatMap(({ shape, lostWh, fromMs, toMs }) =>
    shape !== 'gap' && lostWh !== null ? [{ fromMs, toMs, lostWh }] : [],
  );
  const isRunning = compared.untilMs !== null;
  const facts: StoryFacts = {
    span: by,
    isRunning,
    isBeforeSunrise: isTold && isDay && isRunning && isBeforeSunrise(site, bounds, nowMs()),
    now: isTold ? energiesOf(compared.now.sum, site) : NOTHING_KNOWN,
    beforeWh: compared.isComparable ? compared.then.sum.pv_wh : null,
    earlierDaysWh: [...(earlier?.values() ?? [])].flatMap(({ pv_wh: wh }) => (wh === null ? [] : [wh])),
    days: {
      // Days that the history has not come to are not missing.
      over: isHeld(site, last) ? wholeDaysOf(compared.now.wholeDays, first, site, nowMs()) : 0,
      known: compared.now.days,
    },
    alarms: {
      worst:
        worst === undefined
          ? null
          : { code: worst.code, level: worst.level, sinceMs: worst.sinceMs, untilMs: worst.untilMs },
      count: alarms.total,
    },
    gap: kinks.find(({ shape }) => shape === 'gap') ?? null,
    drop: drops.toSorted((a, b) => b.lostWh - a.lostWh)[0] ?? null,
  };
  const { sun, use, unusual } = storyOf({ ...facts, gap: facts.gap === null ? null : timesOf(facts.gap) });
  return { first, last, isRunning, sun, use, unusual };
}

const timesOf = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => ({ fromMs, toMs });

/** Days of a span that are over; none of one that is still to come. */
const wholeDaysOf = (days: number, first: string, site: SiteFrame, nowMs: number): number =>
  first > localDay(nowMs, site.timeZone) ? 0 : days;

function isBeforeSunrise(site: SiteFrame, bounds: { startMs: number; endMs: number }, nowMs: number): boolean {
  const { sunriseMs } = daylightOf(site, bounds);
  return sunriseMs !== null && nowMs < sunriseMs;
}
