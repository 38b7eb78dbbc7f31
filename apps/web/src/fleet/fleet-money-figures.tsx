import type { FleetMoney } from '@sonnenwarte/contract/fleet/fleet';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyFigure } from '../blocks/show/key-figure.tsx';
import { useFormat } from '../format/use-format.ts';

/** Currencies that are told; the others are counted. */
const MOST_TOLD = 3;

/** What the plants made today and this month, each currency for itself. */
export function FleetMoneyFigures({ money }: { money: readonly FleetMoney[] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (['today', 'month'] as const).map((period) => {
    const [first, ...others] = money.flatMap(({ currency, [period]: amount }) =>
      amount === null ? [] : [format.money(amount, currency)],
    );
    if (first === undefined) return null;
    const more = others.length - (MOST_TOLD - 1);
    const told = [
      ...others.slice(0, MOST_TOLD - 1),
      ...(more > 0 ? [t('fleet.moreCurrencies', { number: format.number(more) })] : []),
    ];
    return (
      <KeyFigure
        key={period}
        label={t(`fleet.money.${period}`)}
        value={first}
        tone="brand"
        note={told.length === 0 ? undefined : told.join(' · ')}
      />
    );
  });
}
