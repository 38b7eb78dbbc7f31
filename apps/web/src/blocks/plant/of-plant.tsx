import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect } from 'react';
import { useSiteLive } from '../../live/use-live.ts';
import { useRecordID } from '../../tabs/tab-context.ts';
import { DetailScreen } from '../show/detail-screen.tsx';
import { ScreenLink } from '../show/screen-link.tsx';
import { PlantChoice } from './plant-choice.tsx';

interface OfPlantProps {
  /** What a plant is to be chosen for, where the address names none. */
  choose: string;
  children: (stationID: string) => ReactNode;
}

/** A screen of one plant, made anew for another one; where the address names none it opens the only one or offers them. */
export function OfPlant({ choose, children }: OfPlantProps): ReactNode {
  const stationID = useRecordID('stationID');
  const ofIt = (id: string): ReactNode => <Fragment key={id}>{children(id)}</Fragment>;
  return stationID === undefined ? <PlantChoice text={choose}>{ofIt}</PlantChoice> : ofIt(stationID);
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
