import { deliveries as call, type DeliveryRow, exportDeliveries } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { type DeliveryState, deliveryStates } from '@sonnenwarte/contract/alarm-rules/delivery-moves';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../blocks/form/select.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { type FilteredList, useList } from '../blocks/list/use-list.ts';
import { Badge, type Tone } from '../blocks/show/badge.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { WayButton } from '../blocks/show/way-button.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { failureText } from '../notifications/channel-words.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import styles from './alarm-rules.module.css';

const REFRESH_MS = 30_000;

/** What was told, to whom, by which way and with which outcome. */
export function DeliveryListScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const deliveries = useList(call, { refreshMs: REFRESH_MS });
  const fields: readonly ShownField<typeof call>[] = [
    { field: 'code', card: 'title', cell: (row) => <What row={row} /> },
    { field: 'atMs', card: 'foot', cell: ({ atMs }) => <Moment atMs={atMs} /> },
    { field: 'state', card: 'aside', cell: (row) => <Outcome row={row} /> },
    { field: 'channel', card: 'foot' },
    { field: 'target', card: 'foot', cell: ({ target }) => <span translate="no">{target || '–'}</span> },
    { field: 'receiver', card: 'foot' },
    { field: 'ruleName', cell: ({ ruleName }) => ruleName || t('alarm-rules.firstRule') },
    { field: 'event', optional: true },
    { field: 'plantName', optional: true },
    { field: 'incidents', optional: true },
    { field: 'attempts', optional: true },
    { field: 'sentMs', optional: true, cell: ({ sentMs }) => (sentMs === null ? '–' : <Moment atMs={sentMs} />) },
  ];
  const columns = useColumns(deliveries, fields);
  return (
    <ListScreen
      title={label('alarm-deliveries')}
      list={deliveries}
      actions={
        <>
          <WayButton to="alarm-rules" />
          <ExportButton endpoint={exportDeliveries} list={deliveries} columns={columns} />
        </>
      }
      filters={
        <>
          <ListSearch list={deliveries} />
          <States list={deliveries} />
        </>
      }
    >
      <DataTable
        list={deliveries}
        columns={columns}
        name={label('alarm-deliveries')}
        storedAs="alarm-deliveries"
        {...(deliveries.filters === 0 && { empty: <EmptyState text={t('alarm-rules.noDeliveries')} /> })}
        target={({ incidentID, incidents }) =>
          incidentID !== '' && incidents === 1 ? { to: 'alarm-detail', query: { id: incidentID } } : { to: 'alarm' }
        }
      />
    </ListScreen>
  );
}

function States({ list }: { list: FilteredList<typeof call> }): ReactNode {
  const { t } = useTranslation();
  const { states, ...others } = list.value.condition;
  return (
    <Select
      label={t('alarm-rules.field.state')}
      value={states?.[0] ?? ''}
      options={[
        { value: '', label: t('common.all') },
        ...deliveryStates.map((value) => ({ value, label: t(`alarm-rules.delivery.${value}`) })),
      ]}
      onChange={(value) => {
        const state = deliveryStates.find((each) => each === value);
        const condition = { ...others, ...(state && { states: [state] }) };
        list.set({ condition } as Parameters<typeof list.set>[0]);
      }}
    />
  );
}

function What({ row: { event, code, plantName, incidents } }: { row: DeliveryRow }): ReactNode {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  if (event === 'test' || code === null) return t(`alarm-rules.event.${event}`);
  const alarm = alarmText(code).name;
  return (
    <span className={styles.name}>
      {incidents > 1 ? t('alarm-rules.preview.severalAt', { alarm, count: incidents - 1 }) : alarm}
      <small>
        {[plantName, event === 'began' ? '' : t(`alarm-rules.event.${event}`)]
          .filter((part) => part !== '')
          .join(' · ')}
      </small>
    </span>
  );
}

const tones: Record<DeliveryState, Tone> = { queued: 'neutral', sent: 'good', failed: 'bad' };

function Outcome({ row: { state, failure, attempts } }: { row: DeliveryRow }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles.name}>
      <Badge tone={tones[state]}>{t(`alarm-rules.delivery.${state}`)}</Badge>
      {state !== 'sent' && (failure !== null || attempts > 1) && <small>{failureText(t, failure)}</small>}
    </span>
  );
}

function Moment({ atMs }: { atMs: number }): ReactNode {
  const { moment } = useMoments();
  return moment(atMs, localZone());
}
