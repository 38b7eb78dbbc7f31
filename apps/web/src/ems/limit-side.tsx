import { IconAlertTriangle } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './ems.module.css';

interface LimitSideProps {
  title: string;
  /** What flows now, the most that may, W. */
  now: { label: string; powerW: number | null };
  limitW: number | null;
  /** Beneath the limit. */
  limitNote: ReactNode;
  /** Who holds it, or what is wrong. */
  holder: ReactNode;
  note: ReactNode;
  isOver: boolean;
  isLate: boolean;
}

/** One direction at the grid point: who holds its limit, what flows, and how near the limit that is. */
export function LimitSide({ title, now, limitW, limitNote, holder, note, isOver, isLate }: LimitSideProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const headingId = useId();
  const flows = format.powerQuantity(now.powerW);
  const limit = format.powerQuantity(limitW);
  return (
    <section className={styles.side} aria-labelledby={headingId}>
      <h3 id={headingId} className={styles.heading}>
        {title}
      </h3>
      <p className={styles.holder} data-over={isOver || undefined} role="status">
        {isOver && <IconAlertTriangle size={18} aria-hidden="true" />}
        <span>
          {holder}
          {note !== undefined && <small className={styles.note}>{note}</small>}
        </span>
      </p>
      <KeyFigures>
        <KeyFigure label={now.label} value={flows.value} unit={flows.unit} tone="grid" late={isLate} />
        <KeyFigure
          label={t('ems.limit')}
          value={limitW === null ? NOT_MEASURED : limit.value}
          unit={limitW === null ? '' : limit.unit}
          tone="grid"
          note={limitNote}
        />
      </KeyFigures>
      {limitW !== null && limitW > 0 && now.powerW !== null && (
        <div
          className={styles.gauge}
          data-over={isOver || undefined}
          data-late={isLate || undefined}
          aria-hidden="true"
        >
          <i style={{ '--share': `${Math.min(100, (100 * now.powerW) / (limitW * 1.2))}%` } as CSSProperties} />
        </div>
      )}
    </section>
  );
}
