import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSiteLive } from '../../live/use-live.ts';
import { useRecordID } from '../../tabs/tab-context.ts';
import { DetailScreen } from '../show/detail-screen.tsx';
import { EmptyState } from '../show/empty-state.tsx';
import { ScreenLink } from '../show/screen-link.tsx';
import { TitledScreen } from '../show/titled-screen.tsx';

interface OfPlantProps {
  /** Why there is nothing to see where the address names no plant. */
  none: string;
  children: (stationID: string) => ReactNode;
}

/** A screen of one plant, made anew for another one; where the address names none it leads to the list. */
export function OfPlant({ none, children }: OfPlantProps): ReactNode {
  const { t } = useTranslation();
  const stationID = useRecordID('stationID');
  if (stationID === undefined) {
    return (
      <TitledScreen>
        <EmptyState text={none} action={<ScreenLink to="plant-view">{t('fleet.openList')}</ScreenLink>} />
      </TitledScreen>
    );
  }
  return <Fragment key={stationID}>{children(stationID)}</Fragment>;
}

/** What is read of a plant, and again whenever its stream says that it has new values. */
export function useOfPlant<Data, Key extends QueryKey>(
  stationID: string,
  options: UseQueryOptions<Data, Error, Data, Key>,
): UseQueryResult<Data> {
  const query = useQuery(options);
  const { refetch } = query;
  const asOfMs = useSiteLive(stationID)?.site.asOfMs;
  useEffect(() => {
    if (asOfMs !== undefined) void refetch();
  }, [asOfMs, refetch]);
  return query;
}

interface PlantPartScreenProps {
  title: string;
  stationID: string;
  stationName: string;
  /** At the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a plant, with the way to the whole below its title. */
export function PlantPartScreen({ title, stationID, stationName, aside, children }: PlantPartScreenProps): ReactNode {
  return (
    <DetailScreen
      title={title}
      subtitle={
        <ScreenLink to="plant-detail" query={{ id: stationID }}>
          {stationName}
        </ScreenLink>
      }
      aside={aside}
    >
      {children}
    </DetailScreen>
  );
}
