import { IMBALANCE_LIMIT_PERCENT, system } from '@sonnenwarte/contract/parallel-system/parallel-system';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useLineBroken } from '../live/line-state.ts';
import { useSiteLive } from '../live/use-live.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useRecordID } from '../tabs/tab-context.ts';
import { UnitTable } from './unit-table.tsx';

const REFRESH_MS = 30_000;

/** Inverters that run in parallel, named by the plant in the address. */
export function ParallelSystemScreen(): ReactNode {
  const { t } = useTranslation();
  const stationID = useRecordID('stationID');
  if (stationID === undefined) {
    return (
      <TitledScreen>
        <EmptyState
          text={t('parallel-system.noPlant')}
          action={<ScreenLink to="plant-view">{t('fleet.openList')}</ScreenLink>}
        />
      </TitledScreen>
    );
  }
  return <ParallelSystem key={stationID} stationID={stationID} />;
}

function ParallelSystem({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const label = useRouteLabel();
  const broken = useLineBroken();
  const { data, error, refetch } = useQuery({ ...read(system, { stationID }), refetchInterval: REFRESH_MS });
  // The stream says that the plant has new values; those of its units are read then.
  const asOfMs = useSiteLive(stationID)?.site.asOfMs;
  useEffect(() => {
    if (asOfMs !== undefined) void refetch();
  }, [asOfMs, refetch]);
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
    <DetailScreen
      title={label('plant-parallel-system')}
      subtitle={
        <ScreenLink to="plant-detail" query={{ id: stationID }}>
          {name}
        </ScreenLink>
      }
    >
      {inverters.units.length < 2 ? (
        <EmptyState text={t('parallel-system.alone')} />
      ) : (
        <>
          <Panel title={t('parallel-system.inverters')}>
            <UnitTable group={inverters} kind="inverter" late={broken} />
            <p>{t('parallel-system.limit', { percent: format.percent(IMBALANCE_LIMIT_PERCENT) })}</p>
          </Panel>
          {batteries.units.length > 0 && (
            <Panel title={t('parallel-system.batteries')}>
              <UnitTable group={batteries} kind="battery" late={broken} />
            </Panel>
          )}
        </>
      )}
    </DetailScreen>
  );
}
