/**
 * Units of a currency to a euro, by which plants with losses in several currencies are put in an order. No amount is ever converted: rough
 * rates do. Rounded yearly means of 2024 of the euro foreign exchange reference rates of the European Central Bank.
 */
const unitsPerEuro: Readonly<Record<string, number>> = {
  AUD: 1.64,
  BGN: 1.96,
  BRL: 5.83,
  CAD: 1.48,
  CHF: 0.95,
  CNY: 7.79,
  CZK: 25.1,
  DKK: 7.46,
  EUR: 1,
  GBP: 0.85,
  HKD: 8.45,
  HUF: 395,
  IDR: 17_200,
  ILS: 4.01,
  INR: 90.6,
  ISK: 149,
  JPY: 164,
  KRW: 1_475,
  MXN: 19.8,
  MYR: 4.95,
  NOK: 11.6,
  NZD: 1.79,
  PHP: 62,
  PLN: 4.31,
  RON: 4.97,
  SEK: 11.4,
  SGD: 1.45,
  THB: 38.2,
  TRY: 35.6,
  USD: 1.08,
  ZAR: 19.8,
};

/** Where an amount stands among those of other currencies; null where nothing is known of its own. */
export function rankOf(amount: string | null, currency: string): number | null {
  const units = Object.hasOwn(unitsPerEuro, currency) ? unitsPerEuro[currency] : undefined;
  return amount === null || units === undefined ? null : Number(amount) / units;
}
