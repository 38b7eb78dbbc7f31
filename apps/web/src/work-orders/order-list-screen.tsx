import { LEVEL } from '@sonnenwarte/contract/levels';
import { list as call, create, exportList, summary } from '@sonnenwarte/contract/work-orders/work-orders';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useRowKeys } from '../blocks/list/row-keys.ts';
import { useList } from '../blocks/list/use-list.ts';
import { Button } from '../blocks/show/button.tsx';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { orderActions } from './order-actions.tsx';
import { DueTag, StateTag } from './order-tags.tsx';
import { CategoryFilter, NarrowedTo, OrderViews } from './order-views.tsx';
import styles from './orders.module.css';
import { useOrderNews } from './use-order-news.ts';

/** Where the stream is cut, and for what passes with time. */
const REFRESH_MS = 60_000;

/** Work orders, what is due next first. */
export function OrderListScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { moment } = useMoments();
  const isOwner = useGlobalState((state) => state.access === LEVEL.endUser);
  const place = useRef<HTMLDivElement>(null);
  useOrderNews();
  useRowKeys(place);
  const orders = useList(call, { refreshMs: REFRESH_MS });
  const now = useQuery({ ...read(summary, {}), refetchInterval: REFRESH_MS });
  const fields = useMemo(
    (): readonly ShownField<typeof call>[] => [
      {
        field: 'title',
        card: 'title',
        cell: ({ number, title }) => (
          <span className={styles.name} data-wide>
            <span>{title}</span>
            <small translate="no">{number}</small>
          </span>
        ),
      },
      { field: 'state', card: 'aside', cell: ({ state }) => <StateTag state={state} /> },
      { field: 'dueMs', card: 'foot', cell: (row) => <DueTag order={row} /> },
      {
        field: 'plantName',
        card: 'foot',
        cell: ({ plantName, deviceSN }, plain) => (
          <span className={styles.name}>
            <span>{plantName === '' ? plain : plantName}</span>
            {deviceSN !== '' && <small translate="no">{deviceSN}</small>}
          </span>
        ),
      },
      {
        field: 'category',
        cell: ({ product }, plain) => (
          <span className={styles.name}>
            <span>{plain}</span>
            <small>{t(`work-orders.product.${product}`)}</small>
          </span>
        ),
      },
      { field: 'product', optional: true },
      {
        field: 'asker',
        ...(isOwner ? { optional: true as const } : { card: 'foot' as const }),
        cell: ({ asker, askerAccount }) => (
          <span className={styles.name}>
            <span>{asker}</span>
            {askerAccount !== asker && <small translate="no">{askerAccount}</small>}
          </span>
        ),
      },
      {
        field: 'assignee',
        cell: ({ holder }, plain) => (
          <span className={styles.name}>
            <span>{plain}</span>
            <small>{holder}</small>
          </span>
        ),
      },
      { field: 'holder', optional: true },
      { field: 'submitMs', cell: ({ submitMs }) => moment(submitMs, localZone()) },
      { field: 'updateMs', cell: ({ updateMs }) => moment(updateMs, localZone()) },
      { field: 'stars', optional: true },
      { field: 'deviceSN', optional: true },
      { field: 'askerAccount', optional: true },
      { field: 'number', optional: true },
    ],
    [isOwner, moment, t],
  );
  const columns = useColumns(orders, fields);
  const views = <OrderViews list={orders} counts={now.data?.counts} />;
  return (
    <ListScreen
      title={t('work-orders.list.title')}
      list={orders}
      actions={
        <>
          <ExportButton endpoint={exportList} list={orders} columns={columns} />
          <Can of={create}>
            <Button look="filled" onClick={() => openScreen({ to: 'work-order-add' })}>
              <IconPlus size={16} aria-hidden="true" />
              {t('work-orders.new')}
            </Button>
          </Can>
        </>
      }
      figures={views}
      filters={
        <>
          <ListSearch list={orders} />
          <CategoryFilter list={orders} />
        </>
      }
    >
      <NarrowedTo list={orders} />
      <div ref={place} className={styles.table}>
        <DataTable
          name={label('work-order-list')}
          list={orders}
          columns={columns}
          actions={orderActions}
          rowName={({ number, title }) => `${number} ${title}`}
          target={({ orderID }) => ({ to: 'work-order-detail', query: { id: orderID } })}
        />
      </div>
    </ListScreen>
  );
}
