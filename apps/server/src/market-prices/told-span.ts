/** Prices of one answer. */
export const MOST_SPANS = 20_000;

/** A price of a span, as a source tells it. */
export interface ToldSpan {
  readonly startMs: number;
  readonly endMs: number;
  /** Per kWh in millionths of the currency. */
  readonly micro: number;
  readonly currency: string;
}

/** 2,000 of the currency per kWh. */
const MOST_MICRO = 2_000_000_000;

/** What is told cannot be used; the message is for the log. */
export class WrongPrices extends Error {
  override name = 'WrongPrices';
}

/** A price per kWh of one per `unitKwh`, in whole millionths. */
export function microOf(price: number, unitKwh: number): number {
  const micro = Math.round((price * 1_000_000) / unitKwh);
  if (!Number.isFinite(micro) || Math.abs(micro) > MOST_MICRO) throw new WrongPrices('a price of it cannot be');
  return micro;
}

/** `EUR/MWh`, `Eur/kWh`: the currency, and how many kWh its price is of. */
export function unitOf(unit: string): { currency: string; unitKwh: number } {
  const [, currency = '', energy] = /^([A-Za-z]{3})\/([kM]?)Wh$/.exec(unit) ?? [];
  if (currency === '' || energy === '') throw new WrongPrices('a unit of it is not known');
  return { currency: currency.toUpperCase(), unitKwh: energy === 'M' ? 1_000 : 1 };
}
