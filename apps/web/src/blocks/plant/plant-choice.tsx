import { list } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../../client/queries.ts';
import { useTab } from '../../tabs/tab-context.ts';
import { EmptyState } from '../show/empty-state.tsx';
import { Skeleton } from '../show/loading.tsx';
import { ReadState } from '../show/read-state.tsx';
import { ScreenLink } from '../show/screen-link.tsx';
import { StatusMark } from '../show/status-tag.tsx';
import { TitledScreen } from '../show/titled-screen.tsx';
import styles from './plant-choice.module.css';

/** So many are offered here; for others there is the list. */
const MOST_OFFERED = 20;

interface PlantChoiceProps {
  /** What a plant is chosen for. */
  text: string;
  children: (stationID: string) => ReactNode;
}

/** Where an address names no plant: the only one that there is, or those to choose from, each opening the same screen. */
export function PlantChoice({ text, children }: PlantChoiceProps): ReactNode {
  const { t } = useTranslation();
  const { name: screen } = useTab();
  const query = useQuery(read(list, { pageSize: MOST_OFFERED, sort: { field: 'name', order: 'asc' } }));
  const { plants = [], total = 0 } = query.data ?? {};
  const [only] = plants;
  if (only !== undefined && total === 1) return children(only.stationID);
  return (
    <TitledScreen>
      <ReadState query={query}>
        <Skeleton width="16rem" height="2rem" />
        <Skeleton height="8rem" />
      </ReadState>
      {query.data && total === 0 && <EmptyState text={t('fleet.noPlants')} />}
      {total > 1 && (
        <>
          <p>{text}</p>
          <ul className={styles.plants}>
            {plants.map(({ stationID, name, city, state }) => (
              <li key={stationID}>
                <ScreenLink to={screen} query={{ stationID }} className={styles.plant}>
                  <StatusMark state={state} />
                  <strong>{name}</strong>
                  <span>{city}</span>
                </ScreenLink>
              </li>
            ))}
          </ul>
          {total > plants.length && <ScreenLink to="plant-view">{t('fleet.openList')}</ScreenLink>}
        </>
      )}
    </TitledScreen>
  );
}
