import { LEVEL } from '@sonnenwarte/contract/levels';
import { type ReactNode, Suspense } from 'react';
import { HomeTrend } from '../install-trend/home-trend.tsx';
import { useGlobalState } from '../state/global-state.ts';
import { OpenOrders } from '../work-orders/open-orders-part.ts';
import styles from './fleet.module.css';
import { MapTile } from './map-tile.tsx';
import { WeekPower } from './week-power.tsx';

/** What lies below the first screen of a fleet's home: its week, where it is, and how it grew. */
export function FleetTiles({ isComing }: { isComing: boolean }): ReactNode {
  const access = useGlobalState((state) => state.access);
  return (
    <>
      <div className={styles.pair}>
        <WeekPower isComing={isComing} />
        <MapTile />
      </div>
      <Suspense fallback={null}>
        <OpenOrders />
      </Suspense>
      {access !== LEVEL.installer && <HomeTrend />}
    </>
  );
}
