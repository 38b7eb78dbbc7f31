import type { FleetSummary } from '@sonnenwarte/contract/fleet/fleet';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './fleet.module.css';

const periods = ['today', 'month', 'total'] as const;

/** Says once which sums over all plants are partly estimated. */
export function EstimatedSums({ fleet }: { fleet: FleetSummary }): ReactNode {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const energies = periods.filter((period) => fleet[`${period}Quality`] === 'estimated');
  const amounts = (['today', 'month'] as const).filter((period) =>
    fleet.money.some((each) => each[`${period}Quality`] === 'estimated'),
  );
  const named = [...energies.map((each) => t(`fleet.${each}`)), ...amounts.map((each) => t(`fleet.money.${each}`))];
  if (named.length === 0) return null;
  return (
    <p className={styles.estimated}>
      <span aria-hidden="true">≈</span> {t('fleet.estimated', { sums: new Intl.ListFormat(locale).format(named) })}
    </p>
  );
}
