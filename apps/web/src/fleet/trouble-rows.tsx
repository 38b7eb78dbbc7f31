import { attention, type TroubledSite } from '@sonnenwarte/contract/fleet/fleet';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useTroubleText } from '../sites/trouble-text.ts';
import styles from './fleet.module.css';

const REFRESH_MS = 30_000;

/** The plants that are not normal, the worst first: what is wrong, since when, and the next step. */
export function NeedsAttention(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery({ ...read(attention, {}), refetchInterval: REFRESH_MS });
  const { plants = [], total = 0 } = query.data ?? {};
  return (
    <Panel title={t('fleet.notNormal')} actions={<ScreenLink to="plant-view">{t('fleet.openList')}</ScreenLink>}>
      {query.error && (
        <ErrorNotice error={query.error} retry={() => void query.refetch()} keepsShown={plants.length > 0} />
      )}
      {!query.data && !query.error && (
        <LoadingSkeleton>
          <Skeleton height="6rem" />
        </LoadingSkeleton>
      )}
      <ul className={styles.rows} data-ages>
        {plants.map((plant) => (
          <TroubleLine key={plant.stationID} plant={plant} />
        ))}
      </ul>
      {total > plants.length && (
        <p className={styles.more}>{t('fleet.moreTroubled', { number: format.number(total - plants.length) })}</p>
      )}
    </Panel>
  );
}

function TroubleLine({ plant }: { plant: TroubledSite }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { fault, sinceMs, of, advice } = useTroubleText()(plant);
  const facts = [
    sinceMs === null ? '' : t('devices.since', { time: format.plantTime(sinceMs, plant.ianaTimezone) }),
    of,
    plant.silence === null && plant.alarms > 1
      ? t('fleet.moreAlarms', { number: format.number(plant.alarms - 1) })
      : '',
  ].filter((fact) => fact !== '');
  return (
    <li>
      <ScreenLink to="plant-detail" query={{ id: plant.stationID }} className={styles.row} data-trouble>
        <StatusTag state={plant.state} />
        <span className={styles.name}>
          <strong>{plant.name}</strong>
          <small>
            {[plant.city, format.country(plant.country), format.capacity(plant.systemCapacity, 1)]
              .filter((each) => each !== '')
              .join(', ')}
          </small>
        </span>
        <span className={styles.name}>
          <strong>{fault}</strong>
          <small>{facts.join(' · ')}</small>
        </span>
        <span className={styles.step}>{advice}</span>
      </ScreenLink>
    </li>
  );
}
