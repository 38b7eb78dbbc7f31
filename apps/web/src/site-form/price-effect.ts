import type { SiteRecord, SiteValues } from './site-values.ts';

type Tariff = SiteRecord['tariffs'][number];

/** What changed prices do to those that a plant has. */
export interface PriceEffect {
  /** Days from which prices are replaced; null = from the beginning. */
  readonly replaces: readonly Tariff['validFrom'][];
  /** Day from which others are valid again, if any. */
  readonly until: string | undefined;
}

/** Prices hold until the next ones of the plant do, and stand in place of those that began on the same day. */
export function priceEffectOf(
  { priceValidity, priceValidFrom }: Pick<SiteValues, 'priceValidity' | 'priceValidFrom'>,
  tariffs: readonly Pick<Tariff, 'validFrom' | 'when'>[],
): PriceEffect {
  const days = (isMeant: (tariff: Pick<Tariff, 'validFrom' | 'when'>) => boolean) =>
    tariffs.filter(isMeant).map(({ validFrom }) => validFrom);
  const firstOf = (isLater: (day: string, when: Tariff['when']) => boolean) =>
    days(({ validFrom, when }) => validFrom !== null && isLater(validFrom, when))[0] ?? undefined;
  if (priceValidity === 'now') return { replaces: [], until: firstOf((_, when) => when === 'future') };
  if (priceValidity === 'beginning') return { replaces: [null], until: firstOf(() => true) };
  if (priceValidFrom === '') return { replaces: [], until: undefined };
  return {
    replaces: [...new Set(days(({ validFrom }) => validFrom === priceValidFrom))],
    until: firstOf((day) => day > priceValidFrom),
  };
}
