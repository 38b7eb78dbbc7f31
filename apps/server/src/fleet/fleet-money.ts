import type { FleetMoney } from '@sonnenwarte/contract/fleet/fleet';
import type { Quality } from '@sonnenwarte/contract/status';
import { roundMoney, sumMoney } from '@sonnenwarte/energy/accounting/money';
import { decimalsOf } from '../sites/currency-decimals.ts';

/** Plants of one currency, or some of them, with what they came to as exact decimals. */
export interface MoneySums {
  readonly currency: string | null;
  readonly count: number;
  readonly today_money: string | null;
  readonly month_money: string | null;
  readonly today_estimated_money: string | null;
  readonly month_estimated_money: string | null;
}

/** What makes up less of a sum leaves no mark on it. */
export const MARKED_SHARE = 0.05;

type Period = 'today' | 'month';

function amountOf(rows: readonly MoneySums[], column: `${Period}_money` | `${Period}_estimated_money`): string | null {
  const known = rows.map((row) => row[column]).filter((amount) => amount !== null);
  return known.length === 0 ? null : sumMoney(known);
}

function qualityOf(rows: readonly MoneySums[], period: Period): Quality {
  const estimated = Number(amountOf(rows, `${period}_estimated_money`) ?? 0);
  return estimated > 0 && estimated >= MARKED_SHARE * Number(amountOf(rows, `${period}_money`) ?? 0)
    ? 'estimated'
    : 'measured';
}

/** Money of plants by currency, that of most plants first. Amounts of two currencies cannot be compared, nor added up. */
export function moneyOf(sums: readonly MoneySums[]): FleetMoney[] {
  const known = sums.filter(
    ({ currency, today_money, month_money }) => currency && (today_money ?? month_money) !== null,
  );
  return [...Map.groupBy(known, ({ currency }) => currency ?? '')]
    .map(([currency, rows]) => {
      const shown = (amount: string | null) => (amount === null ? null : roundMoney(amount, decimalsOf(currency)));
      return {
        currency,
        plants: rows.reduce((all, { count }) => all + count, 0),
        today: shown(amountOf(rows, 'today_money')),
        month: shown(amountOf(rows, 'month_money')),
        todayQuality: qualityOf(rows, 'today'),
        monthQuality: qualityOf(rows, 'month'),
      };
    })
    .toSorted((a, b) => b.plants - a.plants || (a.currency < b.currency ? -1 : 1));
}
