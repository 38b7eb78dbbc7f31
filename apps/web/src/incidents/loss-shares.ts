import type { IncidentRow } from '@sonnenwarte/contract/incidents/incidents';

type Lost = Pick<IncidentRow, 'incidentID' | 'lostWh' | 'lostMoney' | 'currency'>;

/** The one currency of all that cost something; undefined where there are several, or none. */
export function currencyOf(rows: readonly Lost[]): string | undefined {
  const [first, ...others] = new Set(rows.flatMap(({ lostMoney, currency }) => (lostMoney === null ? [] : [currency])));
  return others.length === 0 ? first : undefined;
}

/** What each costs of what costs most, 0 to 1: in money where all are of one currency, else in energy. What is not known is nothing. */
export function lossShares(rows: readonly Lost[]): (row: Lost) => number {
  const isMoney = currencyOf(rows) !== undefined;
  const of = ({ lostMoney, lostWh }: Lost): number => (isMoney ? Number(lostMoney ?? 0) : (lostWh ?? 0));
  const most = Math.max(0, ...rows.map(of));
  return (row) => (most <= 0 ? 0 : Math.min(1, Math.max(0, of(row) / most)));
}
