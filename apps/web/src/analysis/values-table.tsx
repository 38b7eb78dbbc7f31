import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePointTexts } from '../devices/point-text.ts';
import { joinQuantity, NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './analysis.module.css';
import { nextSample, sampleAt } from './curves.ts';
import type { Window } from './lanes.ts';
import type { ShownCurve } from './use-analysis.ts';

/** More rows nobody reads; a file has them all. */
const MOST_ROWS = 500;

interface ValuesTableProps {
  curves: readonly ShownCurve[];
  part: Window;
  time: (tsMs: number) => string;
}

/** The same as the curves: a row for each moment with a sample. */
export function ValuesTable({ curves, part, time }: ValuesTableProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = usePointTexts();
  const rows: number[] = [];
  let tsMs = nextSample(curves, part.fromMs - 1, 1);
  while (tsMs !== undefined && tsMs <= part.toMs && rows.length <= MOST_ROWS) {
    rows.push(tsMs);
    tsMs = nextSample(curves, tsMs, 1);
  }
  const isCut = rows.length > MOST_ROWS;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus
    <section className={styles.table} tabIndex={0} aria-label={t('charts.table')}>
      {isCut && <p>{t('analysis.tableCut', { rows: format.number(MOST_ROWS) })}</p>}
      <table>
        <thead>
          <tr>
            <th scope="col">{t('charts.time')}</th>
            {curves.map(({ key, label, device }) => (
              <th key={key} scope="col">
                {label} <small>{device.deviceSN}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((each) => (
            <tr key={each}>
              <th scope="row">{time(each)}</th>
              {curves.map((curve) => {
                const sample = sampleAt(curve, each);
                const isTold = sample?.tsMs === each;
                return (
                  <td key={curve.key}>{isTold ? joinQuantity(texts.value(sample.value, curve.unit)) : NOT_MEASURED}</td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
