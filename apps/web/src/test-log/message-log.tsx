import {
  directions,
  exportMessages,
  messageKinds,
  messages as messagesCall,
  recordings as recordingsCall,
} from '@sonnenwarte/contract/test-log/test-log';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { DayRangeFilter } from '../blocks/list/day-range-filter.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch, SelectFilter } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { read } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { Moment } from './moment.tsx';
import { RecordingsPanel } from './recordings-panel.tsx';
import styles from './test-log.module.css';
import { messageActions, recordingMaking } from './test-log-actions.tsx';
import { useReason } from './use-reason.ts';

/** While something is recorded, the newest messages appear by themselves. */
const LIVE_MS = 2_000;
const QUIET_MS = 15_000;
const SN = /^\d{15}$/;

export function MessageLog({ choice }: { choice: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const phone = useIsPhone();
  const reasonOf = useReason();
  const kindName = useCallback(
    (kind: (typeof messageKinds)[number]): string => {
      if (kind === 'other') return t('test-log.kindOther');
      return kind === kind.toUpperCase() ? kind : `JSON ${kind}`;
    },
    [t],
  );
  const held = useQuery({
    ...read(recordingsCall, {}),
    refetchInterval: ({ state }) => (isRunning(state.data?.recordings ?? []) ? LIVE_MS : QUIET_MS),
  });
  const recordings = held.data?.recordings ?? [];
  const messages = useList(messagesCall, { refreshMs: isRunning(recordings) ? LIVE_MS : QUIET_MS });
  const shown = useMemo(
    (): readonly ShownField<typeof messagesCall>[] => [
      {
        field: 'kind',
        card: 'title',
        cell: ({ kind, refusedFor }) => (
          <span className={styles.kind} translate="no">
            {kindName(kind)}{' '}
            {phone && refusedFor !== '' && (
              <span translate="yes">
                <Badge tone="bad">{reasonOf(refusedFor)}</Badge>
              </span>
            )}
          </span>
        ),
      },
      {
        field: 'direction',
        card: 'aside',
        cell: ({ direction }) => (
          <Badge tone={direction === 'down' ? 'warn' : 'neutral'}>{t(`test-log.direction.${direction}`)}</Badge>
        ),
      },
      {
        field: 'atMs',
        card: 'foot',
        cell: ({ atMs }) => <Moment atMs={atMs} />,
      },
      { field: 'dataloggerSN', card: 'foot' },
      { field: 'deviceSN', card: 'foot' },
      { field: 'sizeBytes' },
      {
        field: 'refusedFor',
        cell: ({ refusedFor }) => (refusedFor === '' ? '–' : <Badge tone="bad">{reasonOf(refusedFor)}</Badge>),
      },
      {
        field: 'summary',
        card: 'foot',
        cell: ({ summary }) => (
          <span className={styles.summary} translate="no">
            {summary}
          </span>
        ),
      },
    ],
    [t, phone, kindName, reasonOf],
  );
  const columns = useColumns(messages, shown);
  const exported = useMemo(() => [...columns, { field: 'text' }, { field: 'hex' }], [columns]);
  const { content } = messages.value.condition;
  return (
    <ListScreen
      title={label('test-log')}
      list={messages}
      actions={
        <>
          {choice}
          <ExportButton endpoint={exportMessages} list={messages} columns={exported} />
          <ActionButtons table={recordingMaking} row={{ dataloggerSN: SN.test(content) ? content : '' }} />
        </>
      }
      summary={
        <RecordingsPanel
          recordings={recordings}
          onShow={(sn) => messages.set({ condition: { ...messages.value.condition, content: sn } })}
        />
      }
      filters={
        <>
          <ListSearch list={messages} />
          <DayRangeFilter
            list={messages}
            from="fromMs"
            to="toMs"
            label={t('common.timeRange')}
            timeZone={localZone()}
          />
          <SelectFilter
            list={messages}
            field="direction"
            label={t('test-log.field.direction')}
            options={directions.map((value) => ({ value, label: t(`test-log.direction.${value}`) }))}
          />
          <SelectFilter
            list={messages}
            field="kind"
            label={t('test-log.field.kind')}
            options={messageKinds.map((value) => ({ value, label: kindName(value) }))}
          />
          <SelectFilter
            list={messages}
            field="refused"
            label={t('test-log.field.refusedFor')}
            options={(['yes', 'no'] as const).map((value) => ({ value, label: t(`test-log.refused.${value}`) }))}
          />
        </>
      }
    >
      <DataTable name={label('test-log')} list={messages} columns={columns} actions={messageActions} />
    </ListScreen>
  );
}

const isRunning = (recordings: readonly { readonly end: unknown }[]): boolean =>
  recordings.some(({ end }) => end === null);
