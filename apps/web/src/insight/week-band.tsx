import type { LossWeek } from '@sonnenwarte/contract/losses/week';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './insight.module.css';

const WIDTH = 96;
const HEIGHT = 36;
const PAD = 4;
/** Shares that are drawn: what is more or less stands at the edge. */
const TOP = 1.2;

/** Seven days of a plant against the middle half of its neighbours. */
export function WeekBand({ week: { days } }: { week: LossWeek }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const known = days.flatMap(({ share }) => share ?? []);
  if (known.length === 0) return <span className={styles.quiet}>{t('losses.attention.notKnown')}</span>;
  const x = (at: number): number => PAD + (at * (WIDTH - 2 * PAD)) / Math.max(1, days.length - 1);
  const y = (share: number): number => HEIGHT - PAD - (Math.min(TOP, Math.max(0, share)) / TOP) * (HEIGHT - 2 * PAD);
  const band = days.flatMap(({ low, high }, at) => (low === null || high === null ? [] : [{ at, low, high }]));
  const line = days.flatMap(({ share }, at) => (share === null ? [] : [`${x(at)},${y(share)}`]));
  const [lastX, lastY] = (line.at(-1) ?? '0,0').split(',');
  const shares = days.map(({ share }) => (share === null ? '–' : format.percent(100 * share))).join(', ');
  return (
    <svg
      className={styles.band}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={t('losses.attention.bandText', { shares })}
    >
      {band.length > 1 && (
        <polygon
          points={[
            ...band.map(({ at, high }) => `${x(at)},${y(Math.max(high, 1.02))}`),
            ...band.toReversed().map(({ at, low }) => `${x(at)},${y(Math.min(low, 0.98))}`),
          ].join(' ')}
        />
      )}
      <polyline points={line.join(' ')} />
      <circle cx={lastX} cy={lastY} r="2.5" />
    </svg>
  );
}
