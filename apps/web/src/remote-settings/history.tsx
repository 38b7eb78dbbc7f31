import type { Command } from '@sonnenwarte/contract/commands/command';
import { history } from '@sonnenwarte/contract/remote-settings/remote-settings';
import type { SettingChange, SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pager } from '../blocks/list/pager.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { type HistoryEntry, useFailedOrders, withFailed } from './failed-orders.ts';
import { failureReason, failureWords } from './failure-words.ts';
import styles from './history.module.css';
import { useSettingTexts } from './use-setting-text.ts';
import { ChangeText } from './value-text.tsx';
import { isSameValue } from './values.ts';

interface HistoryProps {
  subjectID: string;
  rows: readonly SettingRow[];
  /** Of this setting alone; else of all. */
  name: string | undefined;
  timeZone: string;
  mayWrite: boolean;
  onAll: () => void;
  onRevert: (change: SettingChange, row: SettingRow) => void;
}

const SHORT = 10;
const SHOWN_SHORT = 5;

/** The newest changes of the settings, or of the one that is looked at, and the way to all. */
export function HistoryPanel(props: HistoryProps): ReactNode {
  const { subjectID, rows, name, onAll } = props;
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const [opened, setOpened] = useState(false);
  const query = useQuery(
    read(history, { id: subjectID, currentPage: 1, pageSize: SHORT, ...(name !== undefined && { name }) }),
  );
  const row = rows.find(({ rule }) => rule.name === name);
  const orders = useFailedOrders(subjectID, name);
  const { data } = query;
  const entries = data
    ? withFailed({ changes: data.data, isLast: data.total <= data.data.length, beforeMs: null }, orders)
    : [];
  return (
    <Panel
      title={
        row ? t('setting-screens.history.of', { name: texts.label(row.rule) }) : t('setting-screens.history.title')
      }
      {...(row && {
        actions: (
          <Button small look="plain" onClick={onAll}>
            {t('setting-screens.history.ofAll')}
          </Button>
        ),
      })}
    >
      <div className={styles.history}>
        <ReadState query={query}>
          <Skeleton height="6rem" />
        </ReadState>
        {data && entries.length === 0 && <p className={styles.none}>{t('setting-screens.history.none')}</p>}
        {data && <Entries {...props} entries={entries.slice(0, SHOWN_SHORT)} />}
        {data && entries.length > SHOWN_SHORT && (
          <Button small look="plain" onClick={() => setOpened(true)}>
            {t('setting-screens.history.whole', { count: data.total + orders.length })}
          </Button>
        )}
      </div>
      {opened && <WholeHistory {...props} onClose={() => setOpened(false)} />}
    </Panel>
  );
}

function WholeHistory(props: HistoryProps & { onClose: () => void }): ReactNode {
  const { subjectID, rows, name, onClose } = props;
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const [page, setPage] = useState<{ currentPage: number; pageSize: 10 | 20 | 50 }>({ currentPage: 1, pageSize: 20 });
  const pageOf = (currentPage: number) =>
    read(history, { id: subjectID, ...page, currentPage, ...(name !== undefined && { name }) });
  const query = useQuery(pageOf(page.currentPage));
  const before = useQuery({ ...pageOf(Math.max(1, page.currentPage - 1)), enabled: page.currentPage > 1 });
  const orders = useFailedOrders(subjectID, name);
  const row = rows.find(({ rule }) => rule.name === name);
  return (
    <Dialog
      opened
      shape="drawer"
      title={
        row ? t('setting-screens.history.of', { name: texts.label(row.rule) }) : t('setting-screens.history.title')
      }
      onClose={onClose}
      footer={
        query.data && (
          <Pager {...page} total={query.data.total} onChange={(change) => setPage({ ...page, ...change })} />
        )
      }
    >
      <ReadState query={query}>
        <Skeleton height="16rem" />
      </ReadState>
      {query.data && (page.currentPage === 1 || before.data) && (
        <Entries
          {...props}
          entries={withFailed(
            {
              changes: query.data.data,
              isLast: page.currentPage * page.pageSize >= query.data.total,
              beforeMs: page.currentPage === 1 ? null : (before.data?.data.at(-1)?.atMs ?? null),
            },
            orders,
          )}
        />
      )}
    </Dialog>
  );
}

function Entries({ entries, ...props }: HistoryProps & { entries: readonly HistoryEntry[] }): ReactNode {
  return (
    <ol className={styles.changes}>
      {entries.map(({ change, order }) =>
        change ? (
          <ChangeLine key={change.changeID} {...props} change={change} />
        ) : (
          <FailedLine key={order.commandID} {...props} order={order} />
        ),
      )}
    </ol>
  );
}

/** What was ordered and did not come through, and why. */
function FailedLine({ order, rows, name, timeZone }: HistoryProps & { order: Command }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = useSettingTexts();
  const { content, before, orderedBy, state, code, createdMs, doneMs } = order;
  const written = Object.entries(content.values ?? {}).filter(([each]) => name === undefined || each === name);
  const labels = texts.labelsOf(order, rows);
  const facts = [
    format.dateTime(doneMs ?? createdMs, timeZone),
    orderedBy === '' ? t('setting-screens.byPortal') : orderedBy,
    ...(state === 'refused' && code !== null
      ? [t('setting-screens.status.refusedCode', { code }), failureReason(t, order, labels)]
      : [t(`setting-screens.many.result.${state}`), failureWords(t, order, labels)]),
  ];
  return (
    <li data-source="failed">
      <b>
        {written.map(([each, value], at) => {
          const rule = rows.find((row) => row.rule.name === each)?.rule;
          return (
            <Fragment key={each}>
              {at > 0 && ', '}
              {labels[each]} {rule ? <ChangeText rule={rule} from={before[each] ?? null} to={value} /> : String(value)}
            </Fragment>
          );
        })}
      </b>
      <small>{facts.filter((each) => each !== '').join(' · ')}</small>
    </li>
  );
}

function ChangeLine({
  change,
  rows,
  timeZone,
  mayWrite,
  onRevert,
}: HistoryProps & { change: SettingChange }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = useSettingTexts();
  const { name, from, to, atMs, by, source, times } = change;
  const row = rows.find(({ rule }) => rule.name === name);
  const who =
    source === 'device'
      ? t('setting-screens.source.device')
      : [by, source === 'hand' ? '' : t(`setting-screens.source.${source}`)].filter((each) => each !== '').join(' · ');
  const mayRevert = mayWrite && row?.can.write === true && from !== null && !isSameValue(from, row.reported);
  return (
    <li data-source={source === 'device' ? 'device' : 'people'}>
      <b>
        {texts.label(change)}{' '}
        {row ? <ChangeText rule={row.rule} from={from} to={to} /> : `${String(from ?? '–')} → ${String(to)}`}
      </b>
      <small>
        {format.dateTime(atMs, timeZone)}
        {who !== '' && ` · ${who}`}
        {times > 1 && ` · ${t('setting-screens.history.times', { count: times })}`}
      </small>
      {mayRevert && (
        <Button small look="plain" onClick={() => onRevert(change, row)}>
          {t('setting-screens.act.revertTo', { value: texts.value(row.rule, from) })}
        </Button>
      )}
    </li>
  );
}
