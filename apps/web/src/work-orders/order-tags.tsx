import { dueOf } from '@sonnenwarte/contract/work-orders/due-times';
import { isOpen } from '@sonnenwarte/contract/work-orders/order-states';
import type { WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import { IconClock, IconClockPause, IconStarFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../blocks/show/badge.tsx';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';

const MINUTE_MS = 60_000;
/** From here on what is due is told in amber. */
export const SOON_MS = 6 * 3_600_000;

const tones = {
  turnedOn: 'warn',
  processing: 'brand',
  upgraded: 'brand',
  solved: 'good',
  closed: 'neutral',
} as const satisfies Record<WorkOrderRow['state'], Tone>;

/** Where an order stands. */
export function StateTag({ state }: Pick<WorkOrderRow, 'state'>): ReactNode {
  const { t } = useTranslation();
  return (
    <Badge tone={tones[state]}>
      <span title={t(`work-orders.stateMeaning.${state}`)}>{t(`work-orders.state.${state}`)}</span>
    </Badge>
  );
}

/** What is due next of an order, at this moment. */
export function useDue(order: WorkOrderRow) {
  const nowMs = useNow(MINUTE_MS);
  return dueOf(order, nowMs);
}

/** When it is due, or by how much it is late; where its clock stands still, that. */
export function DueTag({ order }: { order: WorkOrderRow }): ReactNode {
  const { t } = useTranslation();
  const { duration, moment } = useMoments();
  const { dueMs, leftMs, isLate, isStill } = useDue(order);
  if (!isOpen(order.state)) return order.stars === null ? null : <Stars stars={order.stars} />;
  if (isStill)
    return (
      <Badge>
        <IconClockPause size={12} stroke={2} aria-hidden="true" />
        <span title={t('work-orders.due.stillWaiting')}>{t('work-orders.due.still')}</span>
      </Badge>
    );
  const tone = isLate ? 'bad' : leftMs < SOON_MS ? 'warn' : 'neutral';
  return (
    <Badge tone={tone}>
      <IconClock size={12} stroke={2} aria-hidden="true" />
      {isLate
        ? t('work-orders.due.late', { duration: duration(-leftMs) })
        : t('work-orders.due.at', { time: moment(dueMs, localZone()) })}
    </Badge>
  );
}

/** How an order was rated. */
export function Stars({ stars }: { stars: number }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Badge tone="good">
      <IconStarFilled size={12} aria-hidden="true" />
      {t('work-orders.rate.given', { stars: format.number(stars) })}
    </Badge>
  );
}
