import { REPORT_KEPT_DAYS, type ReportRow } from '@sonnenwarte/contract/reports/report';
import { list } from '@sonnenwarte/contract/reports/reports';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../blocks/actions/use-actions.tsx';
import { RowActions } from '../blocks/list/row-actions.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useTab } from '../tabs/tab-context.ts';
import { followedEvery } from './followed.ts';
import { reportActions } from './report-actions.tsx';
import { AboutCell, FilesCell, SizeCell, StateCell } from './report-cells.tsx';
import styles from './report-rows.module.css';

const SHOWN = 5;

/** The reports that were asked for last, followed while they are made. */
export function RecentPanel(): ReactNode {
  const { t } = useTranslation();
  const { name } = useTab();
  const query = useQuery({
    ...read(list, {}),
    refetchInterval: ({ state }) => followedEvery(state.data?.reports),
  });
  const actions = useActions(reportActions);
  const rows = query.data?.reports.slice(0, SHOWN);
  const route = name === 'integrator-data-report' ? name : 'data-report';
  return (
    <Panel
      title={t('reports.recent.title')}
      actions={
        <>
          <span className={styles.kept}>{t('reports.recent.kept', { days: REPORT_KEPT_DAYS })}</span>
          {query.data !== undefined && query.data.total > SHOWN && (
            <ScreenLink to={route} query={{ view: 'files' }}>
              {t('reports.recent.all')}
            </ScreenLink>
          )}
        </>
      }
    >
      <ReadState query={query}>
        <Skeleton height="8rem" />
      </ReadState>
      {rows?.length === 0 && <EmptyState text={t('reports.recent.empty')} />}
      {rows !== undefined && rows.length > 0 && (
        <ul className={styles.recent}>
          {rows.map((row) => (
            <Recent key={row.reportID} row={row} menu={<RowActions name={row.name} actions={actions.of(row)} />} />
          ))}
        </ul>
      )}
      {actions.dialogs}
    </Panel>
  );
}

function Recent({ row, menu }: { row: ReportRow; menu: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li>
      <AboutCell row={row} />
      <span className={styles.amount}>
        <span className="visually-hidden">{t('reports.field.rows')} </span>
        {row.rows === null ? '–' : format.number(row.rows)}
      </span>
      <span className={styles.amount}>
        <span className="visually-hidden">{t('reports.field.bytes')} </span>
        <SizeCell row={row} />
      </span>
      <StateCell row={row} />
      <FilesCell row={row} />
      {menu}
    </li>
  );
}
