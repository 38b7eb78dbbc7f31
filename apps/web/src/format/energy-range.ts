import { energyStep, formatNumber, joinQuantity } from './quantities.ts';

/** Decimals that a range of a width still bears: it would pretend to know more than it does with others. */
const decimalsOf = (width: number): number => (width >= 2.5 ? 0 : width >= 0.25 ? 1 : 2);

/** Two ends of a range of energy in the unit of the upper one, as exact as the range is narrow; `first` is the lower one without its unit. */
export function energyRange(fromWh: number, toWh: number, locale: string): { first: string; from: string; to: string } {
  const { unit, factor } = energyStep(toWh);
  const decimals = decimalsOf((toWh - fromWh) / factor);
  const first = formatNumber(fromWh / factor, locale, decimals);
  return {
    first,
    from: joinQuantity({ value: first, unit }),
    to: joinQuantity({ value: formatNumber(toWh / factor, locale, decimals), unit }),
  };
}
