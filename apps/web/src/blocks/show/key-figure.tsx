import type { Quality } from '@sonnenwarte/contract/status';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../overlay/hint.tsx';
import styles from './key-figure.module.css';

export type Tone = 'brand' | 'pv' | 'external' | 'battery' | 'grid' | 'load' | 'charger' | 'bad';

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
    <div className={styles.figure} data-ages data-tone={tone} data-late={late || undefined}>
      <span className={styles.label}>
        <Hint text={hint}>{label}</Hint>
      </span>
      <span className={styles.value}>
        {value}
        {unit !== undefined && unit !== '' && <span className={styles.unit}> {unit}</span>}
        <ExplainedMark quality={quality} figure={label} />
      </span>
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </div>
  );
}

const signs = { estimated: '≈', corrected: '✎' } as const;

/** The mark of one figure, which says on hover, focus and touch why it is there. */
function ExplainedMark({ quality, figure }: { quality: Quality; figure: string }) {
  const { t } = useTranslation();
  if (quality === 'measured') return null;
  return (
    <Hint
      text={t(`sites.quality.${quality}`)}
      label={`${figure}: ${t(`states.${quality}`)}`}
      className={styles.explained ?? ''}
    >
      {signs[quality]}
    </Hint>
  );
}

/** Marks a figure among many that was estimated or corrected, which is read out with it; `MarkLegend` says why. */
export function QualityMark({ quality }: { quality: Quality }) {
  const { t } = useTranslation();
  if (quality === 'measured') return null;
  return (
    <span className={styles.quality} title={t(`sites.quality.${quality}`)}>
      <span aria-hidden="true">{signs[quality]}</span>
      <span className="visually-hidden">, {t(`states.${quality}`)}</span>
    </span>
  );
}

/** What the marks of a table mean, as far as it has any. */
export function MarkLegend({ qualities }: { qualities: readonly Quality[] }) {
  const { t } = useTranslation();
  const present = (['estimated', 'corrected'] as const).filter((quality) => qualities.includes(quality));
  if (present.length === 0) return null;
  return (
    <ul className={styles.legend}>
      {present.map((quality) => (
        <li key={quality}>
          <span className={styles.quality} aria-hidden="true">
            {signs[quality]}
          </span>{' '}
          {t(`sites.quality.${quality}`)}
        </li>
      ))}
    </ul>
  );
}

/** Key figures side by side, two to a row on a phone. */
export function KeyFigures({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
