import {
  list as call,
  exportList,
  type MessageRow,
  markAll,
  messageKinds,
  messageViews,
  unread,
} from '@sonnenwarte/contract/messages/messages';
import { IconBell, IconChecks, IconFileText, IconSpeakerphone, IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermit } from '../blocks/actions/can.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Select } from '../blocks/form/select.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { type FilteredList, useList } from '../blocks/list/use-list.ts';
import { Button } from '../blocks/show/button.tsx';
import { WayButton } from '../blocks/show/way-button.tsx';
import { serverNowMs } from '../client/clock.ts';
import { read, write } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { inboxActions, useChosenMessages } from './message-actions.tsx';
import { useMessageText } from './message-text.ts';
import styles from './messages.module.css';
import { useMessageNews } from './use-message-news.ts';

/** Where the stream is cut. */
const REFRESH_MS = 60_000;

const icons = { alarm: IconBell, workOrder: IconTool, report: IconFileText, announcement: IconSpeakerphone } as const;

/** What the account is told: alarms, answers, reports and announcements, the newest first. */
export function MessageListScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  useMessageNews();
  const messages = useList(call, { refreshMs: REFRESH_MS });
  const counts = useQuery(read(unread, {})).data;
  const chosen = useChosenMessages();
  const permitted = usePermit()(markAll);
  const fields: readonly ShownField<typeof call>[] = [
    { field: 'subject', card: 'title', cell: (row) => <Message row={row} /> },
    { field: 'kind', card: 'foot' },
    { field: 'atMs', card: 'foot', cell: (row) => <When row={row} /> },
  ];
  const columns = useColumns(messages, fields);
  return (
    <ListScreen
      title={label('message')}
      {...(counts && counts.total > 0 && { about: t('messages.count', { count: counts.total }) })}
      list={messages}
      actions={
        <>
          <WayButton to="announcements" />
          <WayButton to="alarm-rules" />
          {permitted && counts !== undefined && counts.total > 0 && (
            <Button
              // The client says what goes wrong.
              onClick={() => void write(permitted, { untilMs: serverNowMs() }).catch(() => undefined)}
            >
              <IconChecks size={16} aria-hidden="true" /> {t('messages.action.markAll')}
            </Button>
          )}
          <ExportButton endpoint={exportList} list={messages} columns={columns} />
        </>
      }
      filters={
        <>
          <Views list={messages} unread={counts?.total} />
          <ListSearch list={messages} />
          <Kinds list={messages} />
        </>
      }
    >
      <DataTable list={messages} columns={columns} actions={inboxActions} selection={chosen} />
    </ListScreen>
  );
}

type Filtered = FilteredList<typeof call>;
type Change = Parameters<Filtered['set']>[0];
const withCondition = (condition: Partial<Filtered['value']['condition']>): Change => ({ condition }) as Change;

function Views({ list, unread: count }: { list: Filtered; unread: number | undefined }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { condition } = list.value;
  return (
    <Segmented
      label={t('messages.view.label')}
      value={condition.view ?? 'all'}
      options={messageViews.map((value) => ({
        value,
        label: t(`messages.view.${value}`),
        ...(value === 'unread' && count !== undefined && { count: format.number(count) }),
      }))}
      onChange={(view) => list.set(withCondition({ ...condition, view }))}
    />
  );
}

function Kinds({ list }: { list: Filtered }): ReactNode {
  const { t } = useTranslation();
  const { kinds, ...others } = list.value.condition;
  return (
    <Select
      className={styles.kinds}
      label={t('messages.field.kind')}
      value={kinds?.[0] ?? ''}
      options={[
        { value: '', label: t('messages.allKinds') },
        ...messageKinds.map((value) => ({ value, label: t(`messages.kind.${value}`) })),
      ]}
      onChange={(value) => {
        const kind = messageKinds.find((each) => each === value);
        list.set(withCondition({ ...others, ...(kind && { kinds: [kind] }) }));
      }}
    />
  );
}

function Message({ row }: { row: MessageRow }): ReactNode {
  const { t } = useTranslation();
  const say = useMessageText();
  const { kind, isRead, text } = row;
  const Icon = icons[kind];
  return (
    <span className={styles.message} data-unread={isRead ? undefined : true}>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.mark}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <span className={styles.line}>
        {say(row)}
        {(kind === 'alarm' || kind === 'workOrder') && text !== '' && <small translate="no">{text}</small>}
        {!isRead && <span className="visually-hidden">, {t('messages.unread')}</span>}
      </span>
    </span>
  );
}

function When({ row: { atMs } }: { row: MessageRow }): ReactNode {
  const { moment } = useMoments();
  return moment(atMs, localZone());
}
