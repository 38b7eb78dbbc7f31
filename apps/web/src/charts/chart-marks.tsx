import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './chart-marks.module.css';

/** Something that happened in the span of a chart: an alarm as long as it stood, a change, or a kink of a curve. */
export interface ChartMark {
  readonly key: string;
  readonly kind: 'alarm' | 'change' | 'kink';
  readonly fromMs: number;
  /** Null where it has no length. */
  readonly toMs: number | null;
  readonly label: string;
  /** Said below the lane when the mark is chosen. */
  readonly detail: ReactNode;
}

const shapes = {
  alarm: <path d="M6 1 11.5 11H.5z" />,
  change: (
    <>
      <rect x="0.5" y="0.5" width="11" height="11" rx="2.5" />
      <path d="M3 4.5h6M3 7.5h6" className={styles.sign} />
    </>
  ),
  kink: <circle cx="6" cy="6" r="4.2" className={styles.ring} />,
} as const;

const LEAST_LABEL_PX = 72;
const MARK_PX = 18;
/** Half of what a finger needs. */
const HALF_TOUCH_PX = 22;

interface ChartMarksProps {
  marks: readonly ChartMark[];
  startMs: number;
  endMs: number;
  /** Where the plot lies in the figure. */
  leftPx: number;
  widthPx: number;
  chosen: ChartMark | undefined;
  onChoose: (mark: ChartMark | undefined) => void;
}

/**
 * Marks in lanes of their own under the plot, kinks below what happened; names stand where there is room, the chosen one is told below.
 */
export function ChartMarks(props: ChartMarksProps): ReactNode {
  const { marks, chosen } = props;
  const { t } = useTranslation();
  const happened = marks.filter(({ kind }) => kind !== 'kink');
  const kinks = marks.filter(({ kind }) => kind === 'kink');
  return (
    <>
      {happened.length > 0 && <Lane {...props} marks={happened} label={t('charts.marks')} />}
      {kinks.length > 0 && <Lane {...props} marks={kinks} label={t('charts.kinks')} />}
      {chosen && (
        <div className={styles.told} role="status" data-kind={chosen.kind}>
          {chosen.detail}
        </div>
      )}
    </>
  );
}

function Lane(props: ChartMarksProps & { label: string }): ReactNode {
  const { marks, startMs, endMs, leftPx, widthPx, chosen, onChoose, label } = props;
  const xOf = (tsMs: number): number =>
    ((Math.min(endMs, Math.max(startMs, tsMs)) - startMs) / (endMs - startMs)) * widthPx;
  return (
    <ul className={styles.lane} aria-label={label} style={{ marginInlineStart: leftPx, width: widthPx }}>
      {marks.map((mark, index) => {
        const left = xOf(mark.fromMs);
        const next = marks[index + 1];
        const before = marks[index - 1];
        const roomPx = (next === undefined ? widthPx : xOf(next.fromMs)) - left - MARK_PX;
        // Marks that stand close share the room between them, so that no finger meets the other one.
        const touch = {
          '--before': `${before === undefined ? HALF_TOUCH_PX : Math.min(HALF_TOUCH_PX, (left - xOf(before.fromMs)) / 2)}px`,
          '--after': `${next === undefined ? HALF_TOUCH_PX : Math.min(HALF_TOUCH_PX, (xOf(next.fromMs) - left) / 2)}px`,
        };
        return (
          <li key={mark.key} style={{ insetInlineStart: left, ...touch } as CSSProperties} data-kind={mark.kind}>
            {mark.toMs !== null && <i style={{ width: Math.max(2, xOf(mark.toMs) - left) }} />}
            <button
              type="button"
              aria-label={mark.label}
              aria-pressed={chosen?.key === mark.key}
              onClick={() => onChoose(chosen?.key === mark.key ? undefined : mark)}
            >
              <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
                {shapes[mark.kind]}
              </svg>
              {roomPx >= LEAST_LABEL_PX && (
                <span className={styles.label} style={{ maxWidth: roomPx }}>
                  {mark.label}
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
