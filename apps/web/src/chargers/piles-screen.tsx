import { list, type Pile } from '@sonnenwarte/contract/chargers/chargers';
import { live } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { OfPlant, PlantPartScreen, useOfPlant } from '../blocks/plant/of-plant.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { read } from '../client/queries.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import styles from './chargers.module.css';
import { pileAdding } from './pile-actions.tsx';
import { PilePanel } from './pile-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

const REFRESH_MS = 10_000;

/** Charging piles of the plant in the address. */
export function PilesScreen(): ReactNode {
  const { t } = useTranslation();
  return <OfPlant choose={t('chargers.choosePlant')}>{(stationID) => <Piles stationID={stationID} />}</OfPlant>;
}

function Piles({ stationID }: { stationID: string }): ReactNode {
  const label = useRouteLabel();
  const { data, error, refetch } = useOfPlant(stationID, { ...read(list, { stationID }), refetchInterval: REFRESH_MS });
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
  const isNamesake = (pile: Pile): boolean => piles.some((other) => other !== pile && other.name === pile.name);
  return (
    <PlantPartScreen
      title={label('pile-edit')}
      stationID={stationID}
      stationName={stationName}
      // Always at the same place: what a pile is entered with is shown in its dialog once, while the list changes behind it.
      aside={can.add && <ActionButtons table={pileAdding} row={{ stationID }} />}
    >
      {piles.length === 0 ? (
        <NoPile stationID={stationID} />
      ) : (
        <>
          <div className={styles.piles}>
            {piles.map((pile) => (
              <PilePanel
                key={pile.deviceID}
                pile={pile}
                title={isNamesake(pile) ? `${pile.name} · ${pile.deviceSN}` : pile.name}
                zone={ianaTimezone}
              />
            ))}
          </div>
          <SessionsPanel stationID={stationID} />
        </>
      )}
    </PlantPartScreen>
  );
}

/** No pile can be told what to do: there is none, or the datalogger only measures it. */
function NoPile({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const { data, error } = useQuery(read(live, { stationID }));
  if (!data && !error) {
    return (
      <LoadingSkeleton>
        <Skeleton height="8rem" />
      </LoadingSkeleton>
    );
  }
  return <EmptyState text={t(data?.charger ? 'chargers.measuredOnly' : 'chargers.none')} />;
}
