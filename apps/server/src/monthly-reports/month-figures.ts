import type { Figures } from '@sonnenwarte/contract/sites/site';
import type { SiteAlarm } from '@sonnenwarte/contract/sites/site-alarms';
import type { ComparedSums } from '@sonnenwarte/contract/sites/site-comparison';
import { roundParts, sumMoney } from '@sonnenwarte/energy/accounting/money';
import { dayBounds, daysOfMonth, localDay } from '@sonnenwarte/energy/calendar';
import type { Scope } from '../access/scope.ts';
import { found } from '../http/call-error.ts';
import { devOpsOfSite } from '../insight/dev-ops.service.ts';
import { insightsBetween, type StoredInsight } from '../insight/insight-rows.store.ts';
import type { Uses } from '../services.ts';
import { decimalsOf } from '../sites/currency-decimals.ts';
import { currencyOf } from '../sites/prices.store.ts';
import { alarmsOfSite } from '../sites/site-alarms.store.ts';
import { comparedSpans } from '../sites/site-comparison.service.ts';
import { isOfOneCurrency, otherCurrencyUntil } from '../sites/site-currency.ts';
import { daysGrouped, estimatedColumn, type PeriodSum, sumsOfDays } from '../sites/site-energy.store.ts';
import { toFigures } from '../sites/site-figures.ts';
import { siteOf } from '../sites/sites.service.ts';
import { isHeld, type SiteFrame, siteFrame } from '../sites/sites.store.ts';
import { type Losses, lossesOf } from './month-losses.ts';

export type Stores = Uses<'db' | 'telemetry' | 'nowMs'>;

/** Most alarms that the page names; the others are counted. */
const MOST_ALARMS = 4;
const MARKED_ALARMS = 200;

/** A part of an energy, by the text that names it. */
export interface Part {
  readonly name: 'house' | 'car' | 'sun' | 'external' | 'battery' | 'grid' | 'loss' | 'undivided';
  readonly wh: number;
}

export interface DayBar {
  readonly day: string;
  readonly wh: number | null;
  /** What it would have given if nothing had been missing; null where that is not known. */
  readonly possibleWh: number | null;
  readonly isEstimated: boolean;
  readonly hasAlarm: boolean;
}

/** All that the report of a month tells, in the figures of the plant's own page. Plain data. */
export interface MonthFigures {
  readonly plant: {
    readonly name: string;
    readonly city: string;
    readonly country: string;
    readonly systemSizeKwp: number;
    readonly batteryWh: number | null;
    /** A day; null where it is not known. */
    readonly since: string | null;
    readonly timeZone: string;
  };
  /** `YYYY-MM`. */
  readonly month: string;
  readonly madeMs: number;
  /** Up to when the running month is told; null where it is over. */
  readonly untilMs: number | null;
  /** The first day within the month that was recorded, where the recording begins in it. */
  readonly recordedFrom: string | null;
  readonly days: { readonly known: number; readonly all: number };
  /** History of it is still coming in. */
  readonly isArriving: boolean;
  readonly figures: Figures;
  readonly currency: string;
  /** Rounded so that they add up; null where a price is not known. */
  readonly money: { readonly saved: string | null; readonly earned: string | null; readonly benefit: string | null };
  readonly bars: readonly DayBar[];
  /** Of the generation, 0-1; null where nothing was generated. */
  readonly measuredShare: number | null;
  readonly to: readonly Part[];
  readonly from: readonly Part[];
  /** What was fed in besides the generation that `to` divides. */
  readonly alsoFedIn: readonly Part[];
  readonly now: ComparedSums;
  readonly lastYear: ComparedSums | null;
  readonly peers: { readonly own: number; readonly median: number; readonly count: number } | null;
  readonly losses: Losses | null;
  readonly alarms: readonly SiteAlarm[];
  readonly allAlarms: number;
  readonly availability: number | null;
}

const NOISE_WH = 0.05;

/** Parts of a whole and what they leave of it, as far as that is more than noise. */
function partsOf(whole: number | null, parts: readonly Part[], lossWh: number): Part[] {
  const known = parts.filter(({ wh }) => wh > NOISE_WH);
  if (whole === null) return known;
  const rest = whole - known.reduce((sum, { wh }) => sum + wh, 0);
  const lost = Math.min(Math.max(0, rest), lossWh);
  return [...known, { name: 'loss' as const, wh: lost }, { name: 'undivided' as const, wh: rest - lost }].filter(
    ({ wh }) => wh > NOISE_WH,
  );
}

const plus = (...parts: (number | null)[]): number => parts.reduce<number>((sum, wh) => sum + (wh ?? 0), 0);

const goneTo = (sum: PeriodSum, { generationWh }: Figures): Part[] =>
  partsOf(
    generationWh,
    [
      { name: 'house', wh: plus(sum.pv_to_load_wh) },
      { name: 'car', wh: plus(sum.pv_to_charger_wh) },
      { name: 'battery', wh: plus(sum.pv_to_battery_wh) },
      { name: 'grid', wh: plus(sum.pv_to_grid_wh) },
    ],
    sum.loss_wh ?? 0,
  );

/** Where the rest of the feed-in came from, so that it adds up with what of the generation went to the grid. */
function alsoFedIn(sum: PeriodSum, { feedInWh }: Figures): Part[] {
  const known: Part[] = [
    { name: 'battery', wh: plus(sum.battery_to_grid_wh) },
    { name: 'external', wh: plus(sum.external_to_grid_wh) },
  ];
  const rest = (feedInWh ?? 0) - plus(sum.pv_to_grid_wh, ...known.map(({ wh }) => wh));
  const parts: Part[] = sum.pv_to_grid_wh == null ? known : [...known, { name: 'undivided', wh: rest }];
  return parts.filter(({ wh }) => wh > NOISE_WH);
}

const comeFrom = (sum: PeriodSum, { consumptionWh }: Figures): Part[] =>
  partsOf(
    consumptionWh,
    [
      { name: 'sun', wh: plus(sum.pv_to_load_wh, sum.pv_to_charger_wh) },
      { name: 'external', wh: plus(sum.external_to_load_wh, sum.external_to_charger_wh) },
      { name: 'battery', wh: plus(sum.battery_to_load_wh, sum.battery_to_charger_wh) },
      { name: 'grid', wh: plus(sum.grid_to_load_wh, sum.grid_to_charger_wh) },
    ],
    0,
  );

type Amount = 'income' | 'saving' | 'paid';

const amountOf = (days: Iterable<PeriodSum>, name: Amount): string | null => {
  const known = [...days].flatMap((day) => day[name] ?? []);
  return known.length === 0 ? null : sumMoney(known);
};

function moneyOf(saving: string | null, income: string | null, currency: string): MonthFigures['money'] {
  const parts = roundParts([saving ?? '0', income ?? '0'], decimalsOf(currency));
  const saved = saving === null ? null : (parts[0] ?? null);
  const earned = income === null ? null : (parts[1] ?? null);
  const known = [saved, earned].filter((amount) => amount !== null);
  return { saved, earned, benefit: known.length === 0 ? null : sumMoney(known) };
}

const stoodOn = (day: string, zone: string, alarms: readonly SiteAlarm[]): boolean => {
  const { startMs, endMs } = dayBounds(day, zone);
  return alarms.some(({ sinceMs, untilMs }) => sinceMs < endMs && (untilMs ?? Number.POSITIVE_INFINITY) >= startMs);
};

function barsOf(
  site: SiteFrame,
  days: readonly string[],
  sums: ReadonlyMap<string, PeriodSum>,
  { insights, alarms }: { insights: ReadonlyMap<string, StoredInsight>; alarms: readonly SiteAlarm[] },
): DayBar[] {
  return days.map((day) => {
    const sum = sums.get(day);
    const wh = sum?.pv_wh ?? null;
    const lossWh = insights.get(day)?.lossWh ?? null;
    return {
      day,
      wh,
      possibleWh: wh === null || lossWh === null ? null : wh + lossWh,
      isEstimated: sum !== undefined && wh !== null && toFigures(sum, site).qualities.generationWh === 'estimated',
      hasAlarm: stoodOn(day, site.timeZone, alarms),
    };
  });
}

/** What a month of a plant in scope came to. */
export async function monthFigures(
  stores: Stores,
  scope: Scope,
  { stationID, month }: { readonly stationID: string; readonly month: string },
): Promise<MonthFigures> {
  const { db, telemetry, nowMs } = stores;
  const madeMs = nowMs();
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  const { timeZone, key } = site;
  const all = daysOfMonth(month);
  const span = { first: all[0] ?? month, last: all.at(-1) ?? month };
  const today = localDay(madeMs, timeZone);
  const bounds = { startMs: dayBounds(span.first, timeZone).startMs, endMs: dayBounds(span.last, timeZone).endMs };
  const [plant, compared, daySums, estimates, row, kept, alarms, { currency, sinceMs }] = await Promise.all([
    siteOf(stores, { stationID }, { scope }),
    comparedSpans(stores, site, { by: 'month', date: span.first, against: 'lastYear' }),
    sumsOfDays(telemetry, site, span),
    daysGrouped(telemetry, site, span, 'month', ['pv_wh', estimatedColumn('pv_wh')]),
    devOpsOfSite(stores, scope, key, span),
    insightsBetween(telemetry, [key], span),
    alarmsOfSite(db, scope, site.id, { span: bounds, most: MARKED_ALARMS }),
    currencyOf(db, site.id, madeMs),
  ]);
  const isPriced = isOfOneCurrency(await otherCurrencyUntil(telemetry, site, sinceMs), span.first);
  const [saving, income, paid] = (['saving', 'income', 'paid'] as const).map((name) =>
    isPriced ? amountOf(daySums.values(), name) : null,
  );
  const sum: PeriodSum = {
    ...compared.now.sum,
    saving: saving ?? null,
    income: income ?? null,
    paid: paid ?? null,
  };
  const figures = toFigures(sum, site);
  const sumsOf = (each: PeriodSum): ComparedSums => {
    const { generationWh, consumptionWh, feedInWh, purchaseWh, selfSufficiencyPercent } = toFigures(each, site);
    return { generationWh, consumptionWh, feedInWh, purchaseWh, selfSufficiencyPercent };
  };
  const estimated = estimates.get(month);
  const insights = kept.get(key) ?? new Map<string, StoredInsight>();
  const { firstDay } = compared;
  return {
    plant: {
      name: plant.name,
      city: plant.city,
      country: plant.country,
      systemSizeKwp: plant.systemCapacity,
      batteryWh: plant.batteryCapacityWh,
      since: plant.commissionedOn,
      timeZone,
    },
    month,
    madeMs,
    untilMs: compared.untilMs,
    recordedFrom: firstDay !== null && firstDay > span.first && firstDay <= span.last ? firstDay : null,
    days: { known: [...daySums.values()].filter(isKnown).length, all: all.filter((day) => day <= today).length },
    isArriving: !isHeld(site, span.last < today ? span.last : today),
    figures,
    currency,
    money: moneyOf(sum.saving, sum.income, currency),
    bars: barsOf(site, all, daySums, { insights, alarms: alarms.alarms }),
    measuredShare:
      estimated?.pv_wh == null || estimated.pv_wh <= 0
        ? null
        : Math.max(0, 1 - (estimated.estimated?.pv_wh ?? 0) / estimated.pv_wh),
    to: goneTo(sum, figures),
    from: comeFrom(sum, figures),
    alsoFedIn: alsoFedIn(sum, figures),
    now: sumsOf(compared.now.sum),
    lastYear: compared.isComparable ? sumsOf(compared.then.sum) : null,
    peers:
      row?.specificYield == null || row.peersYield === null
        ? null
        : { own: row.specificYield, median: row.peersYield, count: row.peers },
    losses: lossesOf(insights, row),
    alarms: alarms.alarms.slice(0, MOST_ALARMS),
    allAlarms: alarms.total,
    availability: row?.availability ?? null,
  };
}

const isKnown = ({ pv_wh, load_wh, external_wh }: PeriodSum): boolean =>
  pv_wh !== null || load_wh !== null || external_wh !== null;
