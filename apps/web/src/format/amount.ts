import { NOT_MEASURED } from './quantities.ts';

const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text);

const decimals = new Map<string, number>();

/** Decimals of a currency; two of what is none. */
function decimalsOf(currency: string): number {
  const known = decimals.get(currency);
  if (known !== undefined) return known;
  const found = /^[A-Z]{3}$/.test(currency)
    ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2)
    : 2;
  decimals.set(currency, found);
  return found;
}

/** Money from a decimal string where a header says its currency. */
export function formatAmount(amount: string | null, currency: string, locale: string): string {
  if (amount === null || !isDecimal(amount)) return NOT_MEASURED;
  const digits = decimalsOf(currency);
  return new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .format(amount)
    .replace('-', '\u2212');
}
