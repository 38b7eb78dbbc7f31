import type { ReactNode } from 'react';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import styles from './analysis.module.css';
import { laneHeights } from './lanes.ts';

/** Lanes that are on their way, as high as they will be. */
export function LanesSkeleton({ count, heightPx }: { count: number; heightPx: number }): ReactNode {
  const gapPx = 8;
  return (
    <div className={styles.waitingLanes} style={{ height: heightPx, gap: gapPx }}>
      {laneHeights(Math.max(1, count), heightPx).map((height, lane) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its place
        <Skeleton key={lane} height={`${height - gapPx}px`} />
      ))}
    </div>
  );
}

interface AnalysisSkeletonProps {
  /** Variables that are being read. */
  curves: number;
  phone: boolean;
}

const PLOT_PX = { desk: 460, phone: 340 } as const;

/** The read-out, the lanes and the strip below them before their first answer. */
export function AnalysisSkeleton({ curves, phone }: AnalysisSkeletonProps): ReactNode {
  const list = Array.from({ length: Math.max(1, curves) }, (_, place) => place);
  return (
    <LoadingSkeleton>
      <div className={styles.body}>
        <section className={phone ? styles.readCard : styles.side}>
          <Skeleton width="60%" height="1.25rem" />
          {list.map((place) => (
            <Skeleton key={place} height={phone ? '1.25rem' : '2.25rem'} />
          ))}
        </section>
        <section className={styles.plotPanel}>
          <Skeleton width="45%" height="0.75rem" />
          <LanesSkeleton count={2} heightPx={phone ? PLOT_PX.phone : PLOT_PX.desk} />
          <Skeleton height="40px" />
        </section>
      </div>
    </LoadingSkeleton>
  );
}
