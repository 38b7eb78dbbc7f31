import { dayBounds } from '@sonnenwarte/energy/calendar';

/** Money of the running day and month, with the one currency that both are of; undefined where there is none. */
export interface RunningMoney {
  currency: string;
  todayMoney: string | undefined;
  monthMoney: string | undefined;
}

/** From when on a currency was valid; the first from the beginning. */
export interface CurrencyFrom {
  readonly fromMs: number;
  readonly currency: string;
}

const MICRO = 1_000_000;

/** An amount of millionths as a decimal. */
const decimalOf = (micro: number | undefined): string | undefined =>
  micro === undefined ? undefined : (micro / MICRO).toFixed(6);

/**
 * The amounts of a local day and its month, as far as no other currency was valid in that time: amounts of two are never added up.
 *
 * @param currencies ascending
 */
export function runningMoney(
  currencies: readonly CurrencyFrom[],
  { day, zone }: { readonly day: string; readonly zone: string },
  { todayMicro, monthMicro }: { readonly todayMicro?: number | undefined; readonly monthMicro?: number | undefined },
): RunningMoney {
  const [first] = currencies;
  const only = {
    currency: first?.currency ?? '',
    todayMoney: decimalOf(todayMicro),
    monthMoney: decimalOf(monthMicro),
  };
  if (currencies.every(({ currency }) => currency === only.currency)) return only;
  const { startMs, endMs } = dayBounds(day, zone);
  const monthMs = dayBounds(`${day.slice(0, 7)}-01`, zone).startMs;
  const currency = currencies.findLast(({ fromMs }) => fromMs < endMs)?.currency ?? only.currency;
  const isWithin = (sinceMs: number): boolean =>
    currencies.every(
      (each, place) =>
        each.currency === currency ||
        each.fromMs >= endMs ||
        (currencies[place + 1]?.fromMs ?? Number.POSITIVE_INFINITY) <= sinceMs,
    );
  return {
    currency,
    todayMoney: isWithin(startMs) ? only.todayMoney : undefined,
    monthMoney: isWithin(monthMs) ? only.monthMoney : undefined,
  };
}
