import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import type { Quality } from '@sonnenwarte/contract/status';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../blocks/show/badge.tsx';
import { Freshness } from '../blocks/show/freshness.tsx';
import { MarkLegend } from '../blocks/show/key-figure.tsx';
import { useFormat } from '../format/use-format.ts';
import { markOf, PreliminaryCount } from './preliminary.tsx';
import styles from './site-cells.module.css';

/** City and country, as far as they were said. */
export function Place({ row: { city, country } }: { row: SiteRow }): ReactNode {
  const format = useFormat();
  return (
    <span className={styles.place}>
      {city}
      {city !== '' && country !== '' && ', '}
      {country !== '' && <span className={styles.country}>{format.country(country)}</span>}
    </span>
  );
}

/** The name of a plant, and who has shared it. */
export function Name({ row: { sharedBy }, children }: { row: SiteRow; children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  if (sharedBy === '') return children;
  return (
    <>
      {children} <Badge>{t('sites.shared.by', { name: sharedBy })}</Badge>
    </>
  );
}

export const lastUpdate = ({ updatedAtMs, intervalS, state }: SiteRow): ReactNode => (
  <Freshness asOfMs={updatedAtMs} intervalS={intervalS} offline={state === 'offline'} />
);

/** A row as its figures are marked: while history is coming all are preliminary, and that is said once. */
export const asMarked = (row: SiteRow): SiteRow => ({
  ...row,
  todayQuality: markOf(row.todayQuality, row.historyPercent),
  monthQuality: markOf(row.monthQuality, row.historyPercent),
  totalQuality: markOf(row.totalQuality, row.historyPercent),
});

export function PreliminaryOnPage({ rows }: { rows: readonly SiteRow[] }): ReactNode {
  const preliminary = rows.filter(({ historyPercent, recalculating }) => historyPercent !== null || recalculating);
  return <PreliminaryCount of="plantsOnPage" count={preliminary.length} total={rows.length} />;
}

export function MarksOnPage({ rows }: { rows: readonly SiteRow[] }): ReactNode {
  const marks = (row: SiteRow): Quality[] => [row.todayQuality, row.monthQuality, row.totalQuality];
  return <MarkLegend qualities={rows.flatMap(marks)} />;
}
