import { list } from '@sonnenwarte/contract/chargers/chargers';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { read } from '../client/queries.ts';
import { useSiteLive } from '../live/use-live.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useRecordID } from '../tabs/tab-context.ts';
import styles from './chargers.module.css';
import { pileAdding } from './pile-actions.tsx';
import { PilePanel } from './pile-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

const REFRESH_MS = 10_000;

/** Charging piles of the plant in the address. */
export function PilesScreen(): ReactNode {
  const { t } = useTranslation();
  const stationID = useRecordID('stationID');
  if (stationID === undefined) {
    return (
      <TitledScreen>
        <EmptyState
          text={t('chargers.noPlant')}
          action={<ScreenLink to="plant-view">{t('fleet.openList')}</ScreenLink>}
        />
      </TitledScreen>
    );
  }
  return <Piles key={stationID} stationID={stationID} />;
}

function Piles({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { data, error, refetch } = useQuery({ ...read(list, { stationID }), refetchInterval: REFRESH_MS });
  // The stream says that the plant has new values; what its piles do is read then.
  const asOfMs = useSiteLive(stationID)?.site.asOfMs;
  useEffect(() => {
    if (asOfMs !== undefined) void refetch();
  }, [asOfMs, refetch]);
  if (!data) {
    if (error) return <UnreadRecord error={error} retry={() => void refetch()} list="plant-view" />;
    return (
      <LoadingSkeleton>
        <Skeleton width="16rem" height="2rem" />
        <Skeleton height="20rem" />
      </LoadingSkeleton>
    );
  }
  const { piles, stationName, ianaTimezone, can } = data;
  return (
    <DetailScreen
      title={label('pile-edit')}
      subtitle={
        <ScreenLink to="plant-detail" query={{ id: stationID }}>
          {stationName}
        </ScreenLink>
      }
      // Always at the same place: what a pile is entered with is shown in its dialog once, while the list changes behind it.
      aside={can.add && <ActionButtons table={pileAdding} row={{ stationID }} />}
    >
      {piles.length === 0 ? (
        <EmptyState text={t('chargers.none')} />
      ) : (
        <>
          <div className={styles.piles}>
            {piles.map((pile) => (
              <PilePanel key={pile.deviceID} pile={pile} zone={ianaTimezone} />
            ))}
          </div>
          <SessionsPanel stationID={stationID} />
        </>
      )}
    </DetailScreen>
  );
}
