import { detail, type WorkOrderDetail } from '@sonnenwarte/contract/work-orders/work-orders';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { ActionsMenu } from '../blocks/actions/actions-menu.tsx';
import { deviceTarget } from '../blocks/devices/detail-target.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { DetailSkeleton } from '../blocks/show/loading.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { read } from '../client/queries.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { useRecordID, useTabTitle } from '../tabs/tab-context.ts';
import { DuePanel } from './due-panel.tsx';
import styles from './order.module.css';
import { orderActions } from './order-actions.tsx';
import { DueTag, StateTag } from './order-tags.tsx';
import { PeoplePanel } from './people-panel.tsx';
import { ThenNowPanel } from './then-now-panel.tsx';
import { ThreadPanel } from './thread-panel.tsx';
import { useOrderNews } from './use-order-news.ts';
import { Steps, WayPanel } from './way-panel.tsx';

const REFRESH_MS = 60_000;
/** What brings it on: the first of them that can be done is the one that matters. */
const foremost = ['rate', 'solve', 'begin', 'reopen'] as const;
/** What stands beside it. */
const beside = ['begin', 'handUp'] as const;

/** One work order, named by the address. */
export function OrderScreen(): ReactNode {
  const { t } = useTranslation();
  const orderID = useRecordID('orderID');
  if (orderID === undefined)
    return (
      <TitledScreen>
        <EmptyState text={t('work-orders.list.empty')} />
      </TitledScreen>
    );
  return <Order key={orderID} orderID={orderID} />;
}

function Order({ orderID }: { orderID: string }): ReactNode {
  const { t } = useTranslation();
  const phone = useIsPhone();
  useOrderNews();
  const { data, error, refetch } = useQuery({ ...read(detail, { id: orderID }), refetchInterval: REFRESH_MS });
  useTabTitle(data && (phone ? data.order.title : data.order.number));
  if (!data) {
    if (error) return <UnreadRecord error={error} retry={() => void refetch()} list="work-order-list" />;
    return <DetailSkeleton />;
  }
  const { order } = data;
  const { can } = order;
  const first = foremost.find((name) => can[name]) ?? '';
  const second = beside.filter((name) => name !== first);
  return (
    <DetailScreen
      title={
        <span className={styles.title}>
          <span>{order.title}</span>
          <StateTag state={order.state} />
          <DueTag order={order} />
          {order.isUrgent && (
            <Badge tone="bad">
              <IconAlertTriangle size={12} stroke={2} aria-hidden="true" />
              {t('work-orders.due.urgent')}
            </Badge>
          )}
        </span>
      }
      subtitle={<Subtitle data={data} />}
      {...((!phone || first !== '') && {
        aside: (
          <>
            {!phone && <ActionButtons table={orderActions} row={order} only={second} />}
            <ActionButtons table={orderActions} row={order} look="filled" only={[first]} />
            {!phone && <ActionsMenu table={orderActions} row={order} but={[first, ...second]} />}
          </>
        ),
      })}
    >
      {error && <ErrorNotice error={error} retry={() => void refetch()} keepsShown />}
      {can.rate && order.state === 'solved' && <p className={styles.note}>{t('work-orders.rate.ask')}</p>}
      {phone && (
        <div className={styles.course}>
          <Steps state={order.state} />
          <ActionsMenu table={orderActions} row={order} but={[first]} />
        </div>
      )}
      <div className={styles.body}>
        <div className={styles.main}>
          <ThreadPanel data={data} />
        </div>
        <div className={styles.side}>
          <DuePanel order={order} />
          <WayPanel data={data} />
          <PeoplePanel data={data} />
          <ThenNowPanel data={data} />
        </div>
      </div>
    </DetailScreen>
  );
}

/** Its number, what it asks, and what it is about. */
function Subtitle({ data: { order } }: { data: WorkOrderDetail }): ReactNode {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  const { number, category, product, stationID, plantName, deviceID, deviceSN, deviceKind, incidentID, alarmCode } =
    order;
  const device = deviceKind && deviceTarget({ kind: deviceKind, deviceID });
  const alarm =
    alarmCode === null ? '' : t('work-orders.add.alarm', { code: String(alarmCode), name: alarmText(alarmCode).name });
  return (
    <>
      <span translate="no">{number}</span>
      {` · ${t(`work-orders.category.${category}`)}, ${t(`work-orders.product.${product}`)}`}
      {plantName !== '' && ' · '}
      {plantName !== '' && (
        <ScreenLink to="plant-detail" query={{ id: stationID }}>
          {plantName}
        </ScreenLink>
      )}
      {deviceSN !== '' && ' · '}
      {device ? (
        <ScreenLink {...device}>
          <span translate="no">{deviceSN}</span>
        </ScreenLink>
      ) : (
        deviceSN
      )}
      {alarm !== '' && ' · '}
      {incidentID === '' ? (
        alarm
      ) : (
        <ScreenLink to="alarm-detail" query={{ id: incidentID }}>
          {alarm}
        </ScreenLink>
      )}
    </>
  );
}
