import type { LatestValue } from '@sonnenwarte/contract/devices/device';
import type { ReactNode } from 'react';
import { useFormat } from '../format/use-format.ts';
import { freshnessOf } from '../live/freshness.ts';
import styles from './devices.module.css';
import { usePointTexts } from './point-text.ts';

interface PointRowsProps {
  values: readonly LatestValue[];
  late: boolean;
  intervalS: number;
  nowMs: number;
  /** All that the device tells: values older than the newest of these say their age. */
  all: readonly LatestValue[];
}

/** What the device is built for is told once, and never too old. */
const isRating = ({ variable }: LatestValue): boolean => variable.startsWith('Rating/');

/** Points with their values. An age stands only beside values older than the newest; the heading tells the device's own. */
export function PointRows({ values, late, intervalS, nowMs, all }: PointRowsProps): ReactNode {
  const format = useFormat();
  const texts = usePointTexts();
  const newestMs = Math.max(...all.map((value) => value.tsMs));
  return (
    <dl className={styles.values}>
      {values.map((value) => {
        const { value: text, unit } = texts.value(value.value, value.unit, value.phrase);
        const old = !isRating(value) && freshnessOf(value.tsMs, intervalS, newestMs) !== 'live';
        return (
          <div key={value.variable} data-old={late || old || undefined}>
            <dt title={value.variable}>{texts.label(value.variable)}</dt>
            <dd>
              {old && <span className={styles.age}>{format.age(nowMs - value.tsMs)}</span>}
              {text}
              {unit !== '' && <small>{unit}</small>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

export function ValueRow({ label, value, unit = '' }: { label: string; value: string; unit?: string }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        {unit !== '' && <small> {unit}</small>}
      </dd>
    </div>
  );
}
