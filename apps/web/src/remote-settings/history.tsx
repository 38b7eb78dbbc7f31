import { history } from '@sonnenwarte/contract/remote-settings/remote-settings';
import type { SettingChange, SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pager } from '../blocks/list/pager.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './history.module.css';
import { useSettingTexts } from './use-setting-text.ts';
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
  const { data } = query;
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
        {data?.data.length === 0 && <p className={styles.none}>{t('setting-screens.history.none')}</p>}
        {data && <Changes {...props} changes={data.data.slice(0, SHOWN_SHORT)} />}
        {data && data.total > SHOWN_SHORT && (
          <Button small look="plain" onClick={() => setOpened(true)}>
            {t('setting-screens.history.whole', { count: data.total })}
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
  const query = useQuery(read(history, { id: subjectID, ...page, ...(name !== undefined && { name }) }));
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
      {query.data && <Changes {...props} changes={query.data.data} />}
    </Dialog>
  );
}

function Changes({ changes, ...props }: HistoryProps & { changes: readonly SettingChange[] }): ReactNode {
  return (
    <ol className={styles.changes}>
      {changes.map((change) => (
        <ChangeLine key={change.changeID} {...props} change={change} />
      ))}
    </ol>
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
  const { name, from, to, atMs, by, source } = change;
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
        {row
          ? `${texts.parts(row.rule, from).amount} → ${texts.value(row.rule, to)}`
          : `${String(from ?? '–')} → ${String(to)}`}
      </b>
      <small>
        {format.dateTime(atMs, timeZone)}
        {who !== '' && ` · ${who}`}
      </small>
      {mayRevert && (
        <Button small look="plain" onClick={() => onRevert(change, row)}>
          {t('setting-screens.act.revertTo', { value: texts.value(row.rule, from) })}
        </Button>
      )}
    </li>
  );
}
