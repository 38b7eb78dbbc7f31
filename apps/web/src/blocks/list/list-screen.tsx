import type { ListEndpoint } from '@sonnenwarte/contract/endpoint';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import { Sheet } from '../overlay/sheet.tsx';
import { Button } from '../show/button.tsx';
import { useIsPhone } from '../show/use-is-phone.ts';
import styles from './list-screen.module.css';
import type { ListInput, ListState } from './list-state.ts';
import { textsOf } from './list-text.ts';
import { SavedViews } from './saved-views.tsx';

interface ListScreenProps<Q extends ListInput> {
  title: string;
  /** Beside the title: what the list comes to. */
  about?: ReactNode;
  list: ListState<Q> & { total?: number | undefined; endpoint?: ListEndpoint };
  /** Filter fields; on a phone they fold behind one button with a count. */
  filters?: ReactNode;
  /** Which of several lists of one screen is shown; it stands before the buttons. */
  choice?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** Below the title: key figures. */
  figures?: ReactNode;
  /** Above the table: counts by state. */
  summary?: ReactNode;
  /** As the table's, where several lists have one endpoint. */
  storedAs?: string;
  /** The table. */
  children: ReactNode;
}

/** A list: title, filters, table. */
export function ListScreen<Q extends ListInput>({
  title,
  about,
  list,
  filters,
  choice,
  actions,
  figures,
  summary,
  storedAs,
  children,
}: ListScreenProps<Q>) {
  const { t } = useTranslation();
  const format = useFormat();
  const phone = useIsPhone();
  const [opened, setOpened] = useState(false);
  // Beside the summary it keeps its room, so that the first filter does not move the table; an empty list offers the same itself.
  const clear = (
    <span className={styles.clear} data-idle={list.filters === 0 || list.total === 0 || undefined}>
      <Button small look="plain" onClick={list.reset}>
        {t('common.clearFilters')}
      </Button>
    </span>
  );
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <div className={styles.names}>
          <h1 className={styles.title}>{title}</h1>
          {about !== undefined && <p className={styles.about}>{about}</p>}
        </div>
        <div className={styles.actions}>
          {choice}
          {list.endpoint && <SavedViews endpoint={list.endpoint} storedAs={storedAs ?? textsOf(list.endpoint)} />}
          {actions}
          {phone && filters !== undefined && (
            <Button onClick={() => setOpened(true)}>
              <IconFilter size={16} aria-hidden="true" />
              <span className="visually-hidden">
                {list.filters === 0 ? t('common.filter') : t('common.filters', { count: list.filters })}
              </span>
              {list.filters > 0 && <span aria-hidden="true">{format.number(list.filters)}</span>}
            </Button>
          )}
        </div>
      </header>
      {figures}
      {summary !== undefined && (
        <div className={styles.summary}>
          {summary}
          {!phone && filters !== undefined && clear}
        </div>
      )}
      {!phone && filters !== undefined && (
        <search className={styles.filters}>
          {filters}
          {summary === undefined && clear}
        </search>
      )}
      {phone && (
        <Sheet opened={opened} onClose={() => setOpened(false)} title={t('common.filter')} full>
          <search className={styles.filters}>
            {filters}
            {clear}
            <Button wide look="filled" onClick={() => setOpened(false)}>
              {t('common.showResults')}
            </Button>
          </search>
        </Sheet>
      )}
      {children}
    </div>
  );
}
