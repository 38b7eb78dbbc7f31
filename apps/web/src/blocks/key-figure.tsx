import type { Quality } from '@sonnenwarte/contract/status';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from './hint.tsx';
import styles from './key-figure.module.css';

export type Tone = 'brand' | 'pv' | 'external' | 'battery' | 'grid' | 'load' | 'charger';

interface KeyFigureProps {
  label: string;
  /** Formatted number; "–" where nothing was measured. */
  value: string;
  unit?: string;
  /** One line below in the tone's colour: comparison, money, meaning. */
  note?: ReactNode;
  tone?: Tone;
  /** Definition, shown on hover and focus. */
  hint?: string;
  quality?: Quality;
  /** Dims the number: it is older than it should be. */
  late?: boolean;
}

/** A number with its unit, what it means, and a mark where it was estimated or corrected. */
export function KeyFigure({
  label,
  value,
  unit,
  note,
  tone = 'brand',
  hint,
  quality = 'measured',
  late = false,
}: KeyFigureProps) {
  return (
    <div className={styles.figure} data-tone={tone} data-late={late || undefined}>
      <span className={styles.label}>
        <Hint text={hint}>{label}</Hint>
      </span>
      <span className={styles.value}>
        {value}
        {unit !== undefined && unit !== '' && <span className={styles.unit}>{unit}</span>}
        <QualityMark quality={quality} />
      </span>
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </div>
  );
}

/** Marks a figure that was estimated or corrected, and says why; one that was measured has no mark. */
export function QualityMark({ quality }: { quality: Quality }) {
  const { t } = useTranslation();
  if (quality === 'measured') return null;
  return (
    <Hint text={t(`sites.quality.${quality}`)} label={t(`states.${quality}`)} className={styles.quality ?? ''}>
      {quality === 'estimated' ? '≈' : '✎'}
    </Hint>
  );
}

/** Key figures side by side, two to a row on a phone. */
export function KeyFigures({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
