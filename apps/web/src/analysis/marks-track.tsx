import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Window } from './lanes.ts';
import styles from './plot.module.css';

/** Something that happened, as it stands on the track of marks. A kind has its shape and its colour. */
export interface PlotMark {
  readonly key: string;
  readonly kind: 'alarm' | 'setting';
  readonly atMs: number;
  readonly label: string;
  /** An alarm that is no fault. */
  readonly warns?: boolean;
}

const drawnAs = ({ kind, warns = false }: Pick<PlotMark, 'kind' | 'warns'>) => (warns ? 'warning' : kind);

const shapes = {
  alarm: <path d="M7 0.5 13.5 7 7 13.5 0.5 7z" />,
  warning: <path d="M7 1 13.5 12.5h-13z" />,
  setting: <path d="M1.5 1.5h11v11h-11z" />,
} as const satisfies Record<ReturnType<typeof drawnAs>, ReactNode>;

/** Shape of a kind of marks. */
export function MarkShape(mark: Pick<PlotMark, 'kind' | 'warns'>): ReactNode {
  const kind = drawnAs(mark);
  return (
    <svg className={styles.shape} data-kind={kind} viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
      {shapes[kind]}
    </svg>
  );
}

const LEAST_LABEL_PX = 64;
const MARK_PX = 20;
const HALF_TOUCH_PX = 22;

/** Those that lie within a part, with their places. A mark from before stands at the beginning. */
const placed = (marks: readonly PlotMark[], { fromMs, toMs }: Window, widthPx: number) =>
  marks
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
    .map((mark) => ({ mark, left: ((mark.atMs - fromMs) / (toMs - fromMs)) * widthPx }));

interface MarksTrackProps {
  marks: readonly PlotMark[];
  part: Window;
  leftPx: number;
  widthPx: number;
  chosen: string | undefined;
  onChoose: (key: string | undefined) => void;
}

/** Marks on a track above the lanes; their names stand where there is room. */
export function MarksTrack({ marks, part, leftPx, widthPx, chosen, onChoose }: MarksTrackProps): ReactNode {
  const { t } = useTranslation();
  const shown = placed(marks, part, widthPx);
  if (marks.length === 0) return null;
  return (
    <ul className={styles.track} aria-label={t('analysis.marks')} style={{ marginInlineStart: leftPx, width: widthPx }}>
      {shown.map(({ mark, left }, place) => {
        const next = shown[place + 1];
        const before = shown[place - 1];
        const roomPx = (next === undefined ? widthPx : next.left) - left - MARK_PX;
        // Marks that stand close share the room between them, so that no finger meets the other one.
        const touch = {
          '--before': `${before === undefined ? HALF_TOUCH_PX : Math.min(HALF_TOUCH_PX, (left - before.left) / 2)}px`,
          '--after': `${next === undefined ? HALF_TOUCH_PX : Math.min(HALF_TOUCH_PX, (next.left - left) / 2)}px`,
        };
        return (
          <li key={mark.key} style={{ insetInlineStart: left, ...touch } as CSSProperties}>
            <button
              type="button"
              aria-label={mark.label}
              aria-pressed={chosen === mark.key}
              onClick={() => onChoose(chosen === mark.key ? undefined : mark.key)}
            >
              <MarkShape {...mark} />
              {roomPx >= LEAST_LABEL_PX && (
                <span className={styles.markName} data-kind={drawnAs(mark)} style={{ maxWidth: roomPx }}>
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

/** The moments of marks, as lines through all lanes. */
export function MarkLines({ marks, part, widthPx }: Pick<MarksTrackProps, 'marks' | 'part' | 'widthPx'>): ReactNode {
  return placed(marks, part, widthPx).map(({ mark, left }) => (
    <i key={mark.key} className={styles.markLine} data-kind={drawnAs(mark)} style={{ insetInlineStart: left }} />
  ));
}
