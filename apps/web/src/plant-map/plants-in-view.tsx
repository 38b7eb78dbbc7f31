import { MAX_ROWS_BY_ID, type PlacedSite, rows } from '@sonnenwarte/contract/sites/site-places';
import { IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { BriefFreshness, Freshness } from '../blocks/show/freshness.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { RefreshedEvery } from '../blocks/show/refreshed-every.ts';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { lazyComponent } from '../lazy-screen.ts';
import { Place } from '../sites/site-cells.tsx';
import styles from './plant-map.module.css';

/** Most plants are well. */
const PlantReason = lazyComponent(async () => (await import('./plant-reason.tsx')).PlantReason);

const REFRESH_MS = 30_000;

interface PlantsInViewProps {
  /** Plants in view, and the first of them. */
  total: number;
  ids: readonly string[];
  /** What was pressed on the map stands before them. */
  chosen: readonly string[];
  isLoading: boolean;
  onClose: () => void;
}

/** What the map shows, as a list: the plant that was pressed, then those in view, the worst first. */
export function PlantsInView({ total, ids, chosen, isLoading, onClose }: PlantsInViewProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <section className={styles.list} aria-label={t('plant-map.list')}>
      <div role="status">
        {chosen.length > 0 && (
          <div className={styles.chosen}>
            <header className={styles.head}>
              <h2>{t('plant-map.chosen')}</h2>
              <IconButton aria-label={t('common.close')} onClick={onClose}>
                <IconX size={16} aria-hidden="true" />
              </IconButton>
            </header>
            <PlantLines ids={chosen} />
          </div>
        )}
      </div>
      <header className={styles.head}>
        <h2>{t('plant-map.inView', { number: format.number(total) })}</h2>
      </header>
      {isLoading && (
        <LoadingSkeleton>
          <Skeleton height="12rem" />
        </LoadingSkeleton>
      )}
      {!isLoading && total === 0 && <EmptyState text={t('plant-map.none')} />}
      {ids.length > 0 && <PlantLines ids={ids} />}
      {total > ids.length && (
        <p className={styles.more}>{t('plant-map.more', { number: format.number(total - ids.length) })}</p>
      )}
    </section>
  );
}

function PlantLines({ ids }: { ids: readonly string[] }): ReactNode {
  const query = useQuery({
    ...read(rows, { stationIDs: ids.slice(0, MAX_ROWS_BY_ID) }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <ReadState query={query}>
        <Skeleton height="8rem" />
      </ReadState>
      <BriefFreshness value>
        <RefreshedEvery value={REFRESH_MS}>
          <ul className={styles.rows} data-ages>
            {(query.data?.plants ?? []).map((row) => (
              <PlantLine key={row.stationID} row={row} />
            ))}
          </ul>
        </RefreshedEvery>
      </BriefFreshness>
    </>
  );
}

function PlantLine({ row }: { row: PlacedSite }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li>
      <ScreenLink to="plant-detail" query={{ id: row.stationID }} className={styles.row}>
        <span className={styles.name}>
          <strong>{row.name}</strong>
          <StatusTag state={row.state} />
        </span>
        <small>
          <Place row={row} />
        </small>
        <span className={styles.values}>
          <span>{format.power(row.pvPowerW)}</span>
          <span>{t('plant-map.today', { energy: format.energy(row.todayWh) })}</span>
          <Freshness asOfMs={row.updatedAtMs} intervalS={row.intervalS} offline={row.state === 'offline'} />
        </span>
      </ScreenLink>
      {(row.state !== 'normal' || row.week !== null) && (
        <Suspense>
          <PlantReason plant={row} />
        </Suspense>
      )}
    </li>
  );
}
