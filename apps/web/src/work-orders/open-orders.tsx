import { summary } from '@sonnenwarte/contract/work-orders/work-orders';
import { IconClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../blocks/show/badge.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { useGlobalState } from '../state/global-state.ts';
import { StateTag } from './order-tags.tsx';
import styles from './orders.module.css';

const REFRESH_MS = 60_000;

/** The open work orders that are due next, and how many there are. */
export function OpenOrders(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { moment } = useMoments();
  const nowMs = useNow(REFRESH_MS);
  const mayOpen = useGlobalState(({ menuCode }) => menuCode?.includes('work-order-list') ?? false);
  const query = useQuery({ ...read(summary, {}), refetchInterval: REFRESH_MS, enabled: mayOpen });
  if (!mayOpen) return null;
  const { counts, next = [] } = query.data ?? {};
  return (
    <Panel
      title={t('work-orders.tile.title')}
      actions={
        <>
          {counts && counts.late > 0 && (
            <Badge tone="bad">
              <IconClock size={12} stroke={2} aria-hidden="true" />
              {t('work-orders.tile.late', { count: counts.late })}
            </Badge>
          )}
          <ScreenLink to="work-order-list">
            {t('work-orders.tile.all')}
            {counts && counts.open > 0 && ` (${format.number(counts.open)})`}
          </ScreenLink>
        </>
      }
    >
      <ReadState query={query}>
        <Skeleton height="6rem" />
      </ReadState>
      {query.data && next.length === 0 && <p>{t('work-orders.tile.none')}</p>}
      <ul className={styles.next}>
        {next.map(({ orderID, number, title, plantName, state, dueMs }) => (
          <li key={orderID}>
            <ScreenLink to="work-order-detail" query={{ id: orderID }}>
              {title}
            </ScreenLink>
            <span>
              <small translate="no">{number}</small>
              {plantName !== '' && <small>{plantName}</small>}
            </span>
            <StateTag state={state} />
            <span data-late={(dueMs !== null && dueMs < nowMs) || undefined}>
              {dueMs === null
                ? t('work-orders.due.still')
                : t('work-orders.due.at', { time: moment(dueMs, localZone()) })}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
