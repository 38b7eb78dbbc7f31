import { list } from '@sonnenwarte/contract/work-orders/work-orders';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { useGlobalState } from '../state/global-state.ts';
import { DueTag, StateTag } from './order-tags.tsx';
import styles from './orders.module.css';

export interface OrdersOfProps {
  /** An alarm. */
  incidentID: string;
}

/** The work orders that somebody opened about an alarm, as far as they are seen; without any nothing. */
export function OrdersOf({ incidentID }: OrdersOfProps): ReactNode {
  const { t } = useTranslation();
  const mayOpen = useGlobalState(({ menuCode }) => menuCode?.includes('work-order-list') ?? false);
  const { data } = useQuery({
    ...read(list, { condition: { view: 'all', incidentID } }, { quiet: true }),
    enabled: mayOpen,
  });
  if (!data || data.orders.length === 0) return null;
  return (
    <Panel title={t(data.total === 1 ? 'work-orders.of.title' : 'work-orders.of.titleMany')}>
      <ul className={styles.of}>
        {data.orders.map((order) => (
          <li key={order.orderID}>
            <ScreenLink to="work-order-detail" query={{ id: order.orderID }}>
              {order.title}
            </ScreenLink>
            <span>
              <small translate="no">{order.number}</small> <StateTag state={order.state} /> <DueTag order={order} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
