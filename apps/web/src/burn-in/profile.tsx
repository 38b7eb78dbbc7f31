import { type LoadStep, stepAt } from '@sonnenwarte/contract/burn-in/plan';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { durationText } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './burn-in.module.css';

const WIDTH = 600;
const HEIGHT = 64;
const MOST_PERCENT = 110;
/** More changes than this cannot be told apart. */
const MOST_DRAWN = 200;

/** A load profile as a curve over the whole duration, with where it is now. */
export function Profile({
  steps,
  durationMinutes,
  atMinute,
}: {
  steps: readonly LoadStep[];
  durationMinutes: number;
  atMinute?: number | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const roundMinutes = steps.reduce((sum, { minutes }) => sum + minutes, 0);
  if (roundMinutes <= 0 || durationMinutes <= 0) return null;
  const points: string[] = [];
  for (let minute = 0; minute < durationMinutes && points.length < 2 * MOST_DRAWN; ) {
    const step = stepAt(steps, durationMinutes * 60_000, minute * 60_000);
    if (step === undefined) break;
    const endMinute = step.endMs / 60_000;
    const y = (HEIGHT * (1 - step.percent / MOST_PERCENT)).toFixed(1);
    const x = (at: number): string => ((at / durationMinutes) * WIDTH).toFixed(1);
    points.push(`${x(minute)},${y}`, `${x(endMinute)},${y}`);
    minute = endMinute;
  }
  const told = steps
    .map(({ minutes, percent }) => `${format.percent(percent, 2)} ${durationText(minutes * 60_000, format.locale)}`)
    .join(', ');
  const nowX = atMinute === undefined ? undefined : Math.min(1, atMinute / durationMinutes) * WIDTH;
  return (
    <figure className={styles.profile}>
      <svg
        viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('burn-in.plan.profile', { steps: told })}
      >
        <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
        <polyline points={points.join(' ')} />
        {nowX !== undefined && <line x1={nowX} x2={nowX} y1={-2} y2={HEIGHT + 2} />}
      </svg>
      <figcaption>{told}</figcaption>
    </figure>
  );
}
