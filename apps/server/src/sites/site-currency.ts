import type { ClickHouseClient } from '@clickhouse/client';
import type { Figures, SiteFigures } from '@sonnenwarte/contract/sites/site';
import { localDay } from '@sonnenwarte/energy/calendar';
import { lastMoneyDayBefore } from './site-energy.store.ts';
import type { FiguresSite } from './sites.store.ts';

type Sums = Pick<SiteFigures, 'today' | 'yesterday' | 'month' | 'year' | 'total'>;

const withoutMoney = (figures: Figures): Figures => ({ ...figures, income: null, saving: null, paid: null });

/**
 * The last local day that has money in another currency than that of now, which is valid since a time; undefined where none has. A period
 * that begins no later has no amounts.
 */
export async function otherCurrencyUntil(
  telemetry: ClickHouseClient,
  site: Pick<FiguresSite, 'key' | 'timeZone'>,
  sinceMs: number | null,
): Promise<string | undefined> {
  return sinceMs === null ? undefined : lastMoneyDayBefore(telemetry, site, localDay(sinceMs, site.timeZone));
}

/** Whether all money of a period from a local day on is in the currency of now. */
export const isOfOneCurrency = (otherUntil: string | undefined, firstDay: string): boolean =>
  otherUntil === undefined || otherUntil < firstDay;

/**
 * Takes the money out of periods that have some in another currency than that of now: amounts of two are never added up, and
 * one is never shown under the sign of the other.
 */
export async function inOneCurrency(
  telemetry: ClickHouseClient,
  site: FiguresSite,
  sums: Sums,
  days: { today: string; yesterday: string; sinceMs: number | null },
): Promise<Sums> {
  const last = await otherCurrencyUntil(telemetry, site, days.sinceMs);
  if (last === undefined) return sums;
  const of = (figures: Figures, firstDay: string) =>
    isOfOneCurrency(last, firstDay) ? figures : withoutMoney(figures);
  return {
    today: of(sums.today, days.today),
    yesterday: of(sums.yesterday, days.yesterday),
    month: of(sums.month, `${days.today.slice(0, 7)}-01`),
    year: of(sums.year, `${days.today.slice(0, 4)}-01-01`),
    total: withoutMoney(sums.total),
  };
}
