import { create } from '@sonnenwarte/contract/reports/reports';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermit } from '../blocks/actions/can.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { useTabQuery } from '../tabs/tab-context.ts';
import { NewReport } from './new-report.tsx';
import { ReportList } from './report-list.tsx';
import styles from './reports.module.css';
import { ScheduleList } from './schedule-list.tsx';

const views = ['new', 'files', 'schedules'] as const;
export type ReportView = (typeof views)[number];

/** Data reports: a new one, those that were made, and those that are made again and again, each at its own address. */
export function ReportScreen(): ReactNode {
  const { t } = useTranslation();
  const [query, setQuery] = useTabQuery();
  const permitted = usePermit()(create);
  const offered = views.filter((view) => view !== 'new' || permitted !== undefined);
  const named = offered.find((view) => view === query.view);
  const view = named ?? offered[0] ?? 'files';
  const choice = (
    <div className={styles.views}>
      <Segmented
        label={t('reports.view.label')}
        value={view}
        options={offered.map((value) => ({ value, label: t(`reports.view.${value}`) }))}
        onChange={(next) => setQuery(next === offered[0] ? {} : { view: next })}
      />
    </div>
  );
  if (view === 'new' && permitted) return <NewReport choice={choice} of={permitted} template={query.template ?? ''} />;
  return view === 'schedules' ? <ScheduleList choice={choice} /> : <ReportList choice={choice} />;
}
