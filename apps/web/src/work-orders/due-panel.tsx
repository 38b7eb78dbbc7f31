import { isOpen } from '@sonnenwarte/contract/work-orders/order-states';
import type { WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import styles from './order.module.css';
import { SOON_MS, useDue } from './order-tags.tsx';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** More is told in words alone. */
const CLOCK_UP_TO_MS = 100 * HOUR_MS;

/** Hours and minutes as on a clock that runs down. */
function clockText(leftMs: number): string {
  const ms = Math.abs(leftMs);
  const minutes = String(Math.floor((ms % HOUR_MS) / MINUTE_MS)).padStart(2, '0');
  return `${leftMs < 0 ? '\u2212' : ''}${Math.floor(ms / HOUR_MS)}:${minutes}`;
}

/** How much of the time is left, as a ring, and in words what is due and how the first answer went. */
export function DuePanel({ order }: { order: WorkOrderRow }): ReactNode {
  const { t } = useTranslation();
  const { duration, moment } = useMoments();
  const { what, dueMs, leftMs, isLate, isStill } = useDue(order);
  const { submitMs, answeredAtMs, answerDueMs, stillMs, state, isWaiting } = order;
  const wholeMs = Math.max(1, dueMs - stillMs - submitMs);
  const left = Math.min(1, Math.max(0, leftMs / wholeMs));
  const tone = isStill ? 'still' : isLate ? 'late' : leftMs < SOON_MS ? 'soon' : 'fine';
  const head = isStill
    ? t(isWaiting ? 'work-orders.due.stillWaiting' : 'work-orders.due.stillDone')
    : isLate
      ? t('work-orders.due.late', { duration: duration(-leftMs) })
      : t('work-orders.due.left', { duration: duration(leftMs) });
  return (
    <Panel>
      <div className={styles.due}>
        <svg className={styles.ring} data-tone={tone} viewBox="0 0 64 64" aria-hidden="true">
          <circle cx="32" cy="32" r="27" />
          <circle
            cx="32"
            cy="32"
            r="27"
            pathLength="1"
            style={{ '--left': isLate ? 1 : left } as CSSProperties}
            transform="rotate(-90 32 32)"
          />
          {!isStill && Math.abs(leftMs) < CLOCK_UP_TO_MS && (
            <text x="32" y="32">
              {clockText(leftMs)}
            </text>
          )}
        </svg>
        <div>
          <h2>{head}</h2>
          {isOpen(state) && !isStill && (
            <p>
              {t(what === 'answer' ? 'work-orders.due.answer' : 'work-orders.due.solution', {
                time: moment(dueMs, localZone()),
              })}
            </p>
          )}
          {answeredAtMs !== null && (
            <p>
              {t(answeredAtMs <= answerDueMs ? 'work-orders.due.answeredIn' : 'work-orders.due.answeredLate', {
                duration: duration(answeredAtMs - submitMs),
              })}
            </p>
          )}
          {stillMs > 0 && <p>{t('work-orders.due.stoodStill', { duration: duration(stillMs) })}</p>}
        </div>
      </div>
    </Panel>
  );
}
