import { gridLimit } from '@sonnenwarte/contract/ems/ems';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { OfPlant, PlantPartScreen, useOfPlant } from '../blocks/plant/of-plant.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { read } from '../client/queries.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { DispatchPanel } from './dispatch-panel.tsx';
import { gridActions } from './grid-actions.tsx';
import { GridLimitPanel } from './grid-limit-panel.tsx';
import { GridUnits } from './grid-units.tsx';

const REFRESH_MS = 10_000;

/** The limit at the grid point of the plant in the address. */
export function GridLimitScreen(): ReactNode {
  const { t } = useTranslation();
  return <OfPlant choose={t('ems.choosePlant')}>{(stationID) => <GridLimitOf stationID={stationID} />}</OfPlant>;
}

function GridLimitOf({ stationID }: { stationID: string }): ReactNode {
  const label = useRouteLabel();
  const { data, error, refetch } = useOfPlant(stationID, {
    ...read(gridLimit, { stationID }),
    refetchInterval: REFRESH_MS,
  });
  if (!data) {
    if (error) return <UnreadRecord error={error} retry={() => void refetch()} list="plant-view" />;
    return (
      <LoadingSkeleton>
        <Skeleton width="16rem" height="2rem" />
        <Skeleton height="18rem" />
      </LoadingSkeleton>
    );
  }
  return (
    <PlantPartScreen
      title={label('device-ems-config')}
      stationID={stationID}
      stationName={data.stationName}
      aside={data.can.edit && <ActionButtons table={gridActions} row={data} />}
    >
      <GridLimitPanel grid={data} />
      {data.units.length > 0 && <GridUnits grid={data} />}
      <DispatchPanel
        stationID={stationID}
        zone={data.ianaTimezone}
        hasBatteries={data.units.some(({ battery }) => battery !== null)}
      />
    </PlantPartScreen>
  );
}
