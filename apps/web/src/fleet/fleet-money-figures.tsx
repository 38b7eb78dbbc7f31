import type { FleetMoney } from '@sonnenwarte/contract/fleet/fleet';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyFigure } from '../blocks/show/key-figure.tsx';
import { useFormat } from '../format/use-format.ts';
import { inOneOrder } from './money-order.ts';

/** Currencies that are told; the others are counted. */
const MOST_TOLD = 3;

/** What the plants made today and this month, each currency for itself; those that find no room are told by the label. */
export function FleetMoneyFigures({ money }: { money: readonly FleetMoney[] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (['today', 'month'] as const).map((period) => {
    const all = inOneOrder(money).flatMap(({ currency, [period]: amount }) =>
      amount === null ? [] : [format.money(amount, currency)],
    );
    const [first, ...others] = all;
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
        {...(more > 0 && { hint: all.join(' · ') })}
        note={told.length === 0 ? undefined : told.join(' · ')}
      />
    );
  });
}
