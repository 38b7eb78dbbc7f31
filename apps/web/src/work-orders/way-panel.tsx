import { type OrderState, orderStates } from '@sonnenwarte/contract/work-orders/order-states';
import type { WorkOrderDetail } from '@sonnenwarte/contract/work-orders/work-orders';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { useNow } from '../live/use-now.ts';
import styles from './order.module.css';

const MINUTE_MS = 60_000;

/** The states an order went through, with time and person and how long each took, and those that may come. */
export function WayPanel({ data: { way, order } }: { data: WorkOrderDetail }): ReactNode {
  const { t } = useTranslation();
  const { moment, duration } = useMoments();
  const nowMs = useNow(MINUTE_MS);
  const timeZone = order.ianaTimezone || localZone();
  const at = orderStates.indexOf(order.state);
  const coming = orderStates.slice(at + 1);
  return (
    <Panel title={t('work-orders.way.title')}>
      <ol className={styles.way}>
        {way.map(({ state, atMs, by, untilMs }, place) => (
          <li key={atMs + state} data-is={place === way.length - 1 ? 'now' : 'done'}>
            <strong>{t(`work-orders.state.${state}`)}</strong>
            <span>
              {moment(atMs, timeZone)}
              {by !== '' && ` · ${by}`}
            </span>
            {state !== 'closed' && <small>{duration((untilMs ?? nowMs) - atMs)}</small>}
          </li>
        ))}
        {coming.map((state) => (
          <li key={state} data-is="coming">
            <span>{t(`work-orders.state.${state}`)}</span>
            {state === 'closed' && <small>{t('work-orders.way.rated')}</small>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** The same in one line, for a phone. */
export function Steps({ state }: { state: OrderState }): ReactNode {
  const { t } = useTranslation();
  const shown = orderStates.filter((each) => each !== 'upgraded' || state === 'upgraded');
  const at = shown.indexOf(state);
  return (
    <ol className={styles.steps}>
      {shown.map((each, place) => (
        <li
          key={each}
          data-is={place < at ? 'done' : place === at ? 'now' : 'coming'}
          aria-current={place === at ? 'step' : undefined}
        >
          {t(`work-orders.state.${each}`)}
        </li>
      ))}
    </ol>
  );
}
