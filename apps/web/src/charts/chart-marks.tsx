import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './chart-marks.module.css';

/** Something that happened in the span of a chart: an alarm as long as it stood, or a change. */
export interface ChartMark {
  readonly key: string;
  readonly kind: 'alarm' | 'change';
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
} as const;

const LEAST_LABEL_PX = 72;
const MARK_PX = 18;

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

/** Marks in a lane of their own under the plot; names stand where there is room, the chosen one is told below. */
export function ChartMarks(props: ChartMarksProps): ReactNode {
  const { marks, startMs, endMs, leftPx, widthPx, chosen, onChoose } = props;
  const { t } = useTranslation();
  const xOf = (tsMs: number): number =>
    ((Math.min(endMs, Math.max(startMs, tsMs)) - startMs) / (endMs - startMs)) * widthPx;
  return (
    <>
      <ul className={styles.lane} aria-label={t('charts.marks')} style={{ marginInlineStart: leftPx, width: widthPx }}>
        {marks.map((mark, index) => {
          const left = xOf(mark.fromMs);
          const next = marks[index + 1];
          const roomPx = (next === undefined ? widthPx : xOf(next.fromMs)) - left - MARK_PX;
          return (
            <li key={mark.key} style={{ insetInlineStart: left }} data-kind={mark.kind}>
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
      {chosen && (
        <p className={styles.told} role="status" data-kind={chosen.kind}>
          {chosen.detail}
        </p>
      )}
    </>
  );
}
