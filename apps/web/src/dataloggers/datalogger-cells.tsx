import {
  type DataloggerRow,
  type DataloggerState,
  WEAK_SIGNAL_DBM,
} from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { State } from '@sonnenwarte/contract/status';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Freshness } from '../blocks/show/freshness.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './dataloggers.module.css';

const markOf = {
  offline: 'offline',
  quarantined: 'alarm',
  struggling: 'alarm',
  free: 'offline',
  online: 'normal',
} as const satisfies Record<DataloggerState, State>;

/** State of a datalogger: a shape with its word. */
export function DataloggerStateMark({ row: { state } }: { row: Pick<DataloggerRow, 'state'> }): ReactNode {
  const { t } = useTranslation();
  return <StatusTag state={markOf[state]} word={t(`dataloggers.state.${state}`)} />;
}

const BARS = [-90, -80, -70, -60] as const;

/** Strength of a signal: bars, and dBm as the header says. */
export function Signal({ dbm }: { dbm: number | null }): ReactNode {
  const format = useFormat();
  if (dbm === null) return NOT_MEASURED;
  return (
    <span className={styles.signal} data-weak={dbm < WEAK_SIGNAL_DBM || undefined}>
      <svg viewBox="0 0 16 12" aria-hidden="true">
        {BARS.map((from, at) => (
          <rect
            key={from}
            x={at * 4}
            y={9 - at * 3}
            width="3"
            height={3 + at * 3}
            rx="0.6"
            data-on={dbm >= from || undefined}
          />
        ))}
      </svg>
      {format.number(Math.round(dbm))}
    </span>
  );
}

/** When it was heard last. */
export const heardCell = ({ lastSeenMs, intervalS, communication }: DataloggerRow): ReactNode => (
  <Freshness asOfMs={lastSeenMs} intervalS={intervalS} offline={communication !== 1} />
);

/** How many of the devices behind it are heard. */
export function Children({ row: { children, childrenHeard } }: { row: DataloggerRow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (children === 0) return NOT_MEASURED;
  return (
    <span className={styles.children} data-silent={childrenHeard < children || undefined}>
      {t('dataloggers.heardOf', { heard: format.number(childrenHeard), all: format.number(children) })}
    </span>
  );
}
