import type { ComparedSums, SiteComparison } from '@sonnenwarte/contract/sites/site-comparison';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './comparison-words.module.css';
import type { Split } from './energy-slots.ts';

const rowsOf = {
  production: ['generationWh', 'feedInWh'],
  consumption: ['consumptionWh', 'purchaseWh', 'selfSufficiencyPercent'],
} as const satisfies Record<Split, readonly (keyof ComparedSums)[]>;

/** Less than this is not set in proportion. */
const LEAST_WH = 100;
/** A change that rounds to nothing is none. */
const SAME_PERCENT = 0.5;

/** How the figures of a range stand against those of another one, in words. */
export function ComparisonWords({
  told,
  split,
  other,
}: {
  told: SiteComparison;
  split: Split;
  other: string;
}): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { now, before, firstDay, untilMs } = told;
  if (before === null) {
    const isYoung = firstDay !== null && firstDay > told.against.first;
    return (
      <p className={styles.compared}>
        {isYoung
          ? t('sites.compare.since', { other, day: format.day(firstDay) })
          : t('sites.compare.unknown', { other })}
      </p>
    );
  }
  const words = (row: (typeof rowsOf)[Split][number]): string | null => {
    const [is, was] = [now[row], before[row]];
    if (is === null || was === null) return null;
    if (row === 'selfSufficiencyPercent') {
      const points = is - was;
      if (Math.abs(points) < SAME_PERCENT) return t('sites.compare.same', { other });
      return t(points > 0 ? 'sites.compare.morePoints' : 'sites.compare.lessPoints', {
        points: format.number(Math.abs(points)),
        other,
      });
    }
    if (was < LEAST_WH) return t('sites.compare.was', { energy: format.energy(was), other });
    const percent = (100 * (is - was)) / was;
    if (Math.abs(percent) < SAME_PERCENT) return t('sites.compare.same', { other });
    return t(percent > 0 ? 'sites.compare.more' : 'sites.compare.less', {
      percent: format.percent(Math.abs(percent)),
      other,
    });
  };
  return (
    <div className={styles.compared}>
      <dl>
        {rowsOf[split].map((row) => {
          const said = words(row);
          return said === null ? null : (
            <div key={row}>
              <dt>{t(`sites.figure.${row}`)}</dt>
              <dd>
                <b>{row === 'selfSufficiencyPercent' ? format.percent(now[row]) : format.energy(now[row])}</b> {said}
              </dd>
            </div>
          );
        })}
      </dl>
      {untilMs !== null && <p>{t('sites.compare.until')}</p>}
    </div>
  );
}
