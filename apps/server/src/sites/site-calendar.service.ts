import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { roundParts, sumMoney } from '@sonnenwarte/energy/accounting/money';
import { worseQuality } from '@sonnenwarte/energy/accounting/quality';
import { localDay } from '@sonnenwarte/energy/calendar';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { decimalsOf } from './currency-decimals.ts';
import { currencyOf } from './prices.store.ts';
import { isOfOneCurrency, otherCurrencyUntil } from './site-currency.ts';
import { daysGrouped, energyColumns, firstDayOf, type PeriodSum, sumsOfDays } from './site-energy.store.ts';
import { toFigures } from './site-figures.ts';
import type { SiteStores } from './sites.service.ts';
import { type SiteFrame, siteFrame } from './sites.store.ts';

type Sites = typeof siteEndpoints;

const amountOf = ({ income, saving }: Pick<PeriodSum, 'income' | 'saving'>): string | null => {
  const known = [income, saving].filter((amount) => amount !== null);
  return known.length === 0 ? null : sumMoney(known);
};

/** Money of the days of each month, rounded so that they add up to the month. */
function moneyOfDays(
  sums: ReadonlyMap<string, PeriodSum>,
  currency: string,
  isOfCurrency: (day: string) => boolean,
): Map<string, string> {
  const known = [...sums].flatMap(([day, sum]) => {
    const amount = isOfCurrency(day) ? amountOf(sum) : null;
    return amount === null ? [] : [{ day, amount }];
  });
  const shown = new Map<string, string>();
  for (const days of Map.groupBy(known, ({ day }) => day.slice(0, 7)).values()) {
    const parts = roundParts(
      days.map(({ amount }) => amount),
      decimalsOf(currency),
    );
    days.forEach(({ day }, place) => {
      shown.set(day, parts[place] ?? '0');
    });
  }
  return shown;
}

/** What a calendar shows of the sums of a day or month: the same figures as elsewhere, of the same sums. */
function shownOf(sum: PeriodSum, site: SiteFrame, money: string | null) {
  const { generationWh, consumptionWh, selfSufficiencyPercent, qualities } = toFigures(sum, site);
  return {
    generationWh,
    consumptionWh,
    selfSufficiencyPercent,
    money,
    qualities: {
      generationWh: qualities.generationWh,
      consumptionWh: qualities.consumptionWh,
      selfSufficiencyPercent: qualities.selfSufficiencyPercent,
      money: worseQuality(qualities.income, qualities.saving),
    },
  };
}

const isKnown = ({ generationWh, consumptionWh }: { generationWh: number | null; consumptionWh: number | null }) =>
  generationWh !== null || consumptionWh !== null;

/** The days and months of a year of a plant. While history is coming, those that it has come to. */
export async function siteCalendarOf(
  { db, telemetry, nowMs }: SiteStores,
  { stationID, year }: Parsed<Sites['calendar']>,
  { scope }: Scoped,
): Promise<Result<Sites['calendar']>> {
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  const now = nowMs();
  const today = localDay(now, site.timeZone);
  const end = `${year}-12-31`;
  const newest = site.heldDay ?? today;
  const span = { first: `${year}-01-01`, last: end < newest ? end : newest };
  const [daySums, monthSums, firstDay, { currency, sinceMs }] = await Promise.all([
    sumsOfDays(telemetry, site, span),
    daysGrouped(telemetry, site, span, 'month', energyColumns),
    firstDayOf(telemetry, site),
    currencyOf(db, site.id, now),
  ]);
  const otherUntil = await otherCurrencyUntil(telemetry, site, sinceMs);
  const money = moneyOfDays(daySums, currency, (day) => isOfOneCurrency(otherUntil, day));
  const monthMoney = (month: string): string | null => {
    if (!isOfOneCurrency(otherUntil, `${month}-01`)) return null;
    const parts = [...money].filter(([day]) => day.startsWith(month)).map(([, amount]) => amount);
    return parts.length === 0 ? null : sumMoney(parts);
  };
  const unpaid = { income: null, saving: null, paid: null };
  return {
    year,
    currency,
    firstDay,
    days: [...daySums].map(([day, sum]) => ({ day, ...shownOf(sum, site, money.get(day) ?? null) })).filter(isKnown),
    months: [...monthSums]
      .map(([month, sum]) => ({ month, ...shownOf({ ...sum, ...unpaid }, site, monthMoney(month)) }))
      .filter(isKnown),
  };
}
