import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { joinQuantity, NOT_MEASURED } from '../format/quantities.ts';
import styles from './time-chart.module.css';
import type { TimeSeries } from './time-chart.tsx';

/** A value as it is read: where words tell its sign, without one. */
export function Value({ series, index }: { series: TimeSeries; index: number }): ReactNode {
  const { t } = useTranslation();
  const value = series.values[index] ?? null;
  if (value === null) return <abbr title={t('charts.notMeasured')}>{NOT_MEASURED}</abbr>;
  return joinQuantity(series.reading?.(value).quantity ?? series.quantity(value));
}

export function Swatch({ series }: { series: TimeSeries }): ReactNode {
  return (
    <svg className={styles.swatch} width="20" height="10" aria-hidden="true">
      {series.filled && <rect x="0" y="5" width="20" height="5" style={{ fill: series.colour, opacity: 0.25 }} />}
      <line
        x1="1"
        y1="5"
        x2="19"
        y2="5"
        style={{ stroke: series.colour }}
        strokeWidth="2.2"
        strokeDasharray={series.dash?.join(' ')}
      />
    </svg>
  );
}

interface ChartTableProps {
  tsMs: readonly number[];
  series: readonly TimeSeries[];
  time: (tsMs: number) => string;
  timeLabel: string;
}

/** The same as the curves, one row for each moment with a value. */
export function ChartTable({ tsMs, series, time, timeLabel }: ChartTableProps): ReactNode {
  const rows = tsMs
    .map((each, index) => ({ each, values: series.map((one) => one.values[index] ?? null) }))
    .filter((row) => row.values.some((value) => value !== null));
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{timeLabel}</th>
          {series.map((one) => (
            <th key={one.key} scope="col">
              {one.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ each, values }) => (
          <tr key={each}>
            <th scope="row">{time(each)}</th>
            {series.map((one, index) => (
              <td key={one.key}>{joinQuantity(one.quantity(values[index] ?? null))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
