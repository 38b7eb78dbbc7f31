import type { HeldValue } from '@sonnenwarte/contract/work-orders/work-order';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePointTexts } from '../devices/point-text.ts';
import { useMoments } from '../format/moments.ts';
import { joinQuantity } from '../format/quantities.ts';
import styles from './held-values.module.css';

/** As many as stand in a strip; the others are shown when somebody asks. */
export const STRIP = 4;

interface HeldValuesProps {
  values: readonly HeldValue[];
  timeZone: string;
}

/** Values of a moment: the foremost as a strip, all of them on demand. */
export function HeldValues({ values, timeZone }: HeldValuesProps): ReactNode {
  const { t } = useTranslation();
  const points = usePointTexts();
  const first = values.slice(0, STRIP);
  const [oldest] = values.toSorted((one, other) => one.tsMs - other.tsMs);
  const { moment } = useMoments();
  if (oldest === undefined) return null;
  const isOfSeveral = new Set(values.map(({ deviceSN }) => deviceSN)).size > 1;
  return (
    <div className={styles.strip}>
      <dl>
        {first.map((each) => {
          const { value, unit } = points.value(each.value, each.unit, each.phrase);
          return (
            <div key={`${each.deviceSN} ${each.variable}`}>
              <dt>
                {points.label(each.variable)}
                {isOfSeveral && <small translate="no"> {each.deviceSN}</small>}
              </dt>
              <dd>
                {value} {unit !== '' && <small className={styles.unit}>{unit}</small>}
              </dd>
            </div>
          );
        })}
      </dl>
      {values.length > STRIP && (
        <details className={styles.all}>
          <summary>{t('work-orders.values.all')}</summary>
          <ul>
            {values.map((each) => (
              <li key={`${each.deviceSN} ${each.variable}`}>
                <span>
                  {points.label(each.variable)}
                  {isOfSeveral && <small translate="no"> {each.deviceSN}</small>}
                </span>
                <span>{joinQuantity(points.value(each.value, each.unit, each.phrase))}</span>
                <small className={styles.asOf}>
                  {t('work-orders.values.at', { time: moment(each.tsMs, timeZone) })}
                </small>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
