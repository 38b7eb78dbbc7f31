import { IMBALANCE_LIMIT_PERCENT, system } from '@sonnenwarte/contract/parallel-system/parallel-system';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OfPlant, PlantPartScreen, useOfPlant } from '../blocks/plant/of-plant.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { RefreshedEvery } from '../blocks/show/refreshed-every.ts';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useLineBroken } from '../live/line-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { UnitTable } from './unit-table.tsx';

const REFRESH_MS = 30_000;

/** Inverters that run in parallel, of the plant in the address. */
export function ParallelSystemScreen(): ReactNode {
  const { t } = useTranslation();
  return (
    <OfPlant choose={t('parallel-system.choosePlant')}>
      {(stationID) => <ParallelSystem stationID={stationID} />}
    </OfPlant>
  );
}

function ParallelSystem({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const label = useRouteLabel();
  const broken = useLineBroken();
  const { data, error, refetch } = useOfPlant(stationID, {
    ...read(system, { stationID }),
    refetchInterval: REFRESH_MS,
  });
  if (!data) {
    if (error) return <UnreadRecord error={error} retry={() => void refetch()} list="plant-view" />;
    return (
      <LoadingSkeleton>
        <Skeleton width="16rem" height="2rem" />
        <Skeleton height="14rem" />
      </LoadingSkeleton>
    );
  }
  const { name, inverters, batteries } = data;
  return (
    <PlantPartScreen title={label('plant-parallel-system')} stationID={stationID} stationName={name}>
      {inverters.units.length < 2 ? (
        <EmptyState text={t('parallel-system.alone')} />
      ) : (
        <RefreshedEvery value={REFRESH_MS}>
          <Panel title={t('parallel-system.inverters')}>
            <UnitTable group={inverters} kind="inverter" late={broken} />
            <p>{t('parallel-system.limit', { percent: format.percent(IMBALANCE_LIMIT_PERCENT) })}</p>
          </Panel>
          {batteries.units.length > 0 && (
            <Panel title={t('parallel-system.batteries')}>
              <UnitTable group={batteries} kind="battery" late={broken} />
            </Panel>
          )}
        </RefreshedEvery>
      )}
    </PlantPartScreen>
  );
}
