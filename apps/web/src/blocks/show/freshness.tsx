import type { DeviceRow } from '@sonnenwarte/contract/devices/device';
import { createContext, type ReactNode, use } from 'react';
import { useTranslation } from 'react-i18next';
import { localZone } from '../../format/local-zone.ts';
import { useFormat } from '../../format/use-format.ts';
import { ageMsOf, freshnessOf } from '../../live/freshness.ts';
import { useLineBroken } from '../../live/line-state.ts';
import { useNow } from '../../live/use-now.ts';
import styles from './freshness.module.css';
import { RefreshedEvery } from './refreshed-every.ts';

const STEP_MS = 1_000;

/** Where room is scarce, such as in a table, only the age is said. */
export const BriefFreshness = createContext(false);

interface FreshnessProps {
  /** Time of the newest value in the server's clock. */
  asOfMs: number | null;
  /** Upload interval; a value older than two of them, or of the pauses after which it is asked for, is late. */
  intervalS: number;
  /** The thing is known to be offline, however new the last sign of it. */
  offline?: boolean;
}

/** Age of what is shown, in words and colour: "Live · 2 s ago", "12 min ago", "No data yet". */
export function Freshness({ asOfMs, intervalS, offline = false }: FreshnessProps) {
  const { t } = useTranslation();
  const brief = use(BriefFreshness);
  const { age } = useFormat();
  const nowMs = useNow(STEP_MS);
  const broken = useLineBroken();
  const measured = freshnessOf(asOfMs, intervalS, nowMs, use(RefreshedEvery));
  const freshness = measured === 'live' && (broken || offline) ? 'late' : measured;
  const ago = asOfMs === null ? '' : age(ageMsOf(asOfMs, nowMs));
  return (
    <span className={styles.freshness} data-freshness={freshness}>
      <span className={styles.dot} aria-hidden="true" />
      {freshness === 'none' && t('states.noData')}
      {freshness === 'live' && (brief ? ago : t('states.liveSince', { age: ago }))}
      {freshness === 'late' && (brief ? ago : t('states.lateSince', { age: ago }))}
    </span>
  );
}

/** Whether a value is late, for dimming it. */
export function useIsLate(asOfMs: number | null, intervalS: number): boolean {
  return freshnessOf(asOfMs, intervalS, useNow(STEP_MS), use(RefreshedEvery)) !== 'live';
}

interface SoFarProps {
  device: Pick<DeviceRow, 'state' | 'updatedAtMs'> & Partial<Pick<DeviceRow, 'ianaTimezone'>>;
  /** What of today it told. */
  wh: number | null;
  children: ReactNode;
}

/** Energy of today; of a device that is silent by now with the time up to which it is. */
export function SoFar({ device: { state, updatedAtMs, ianaTimezone }, wh, children }: SoFarProps): ReactNode {
  const { t } = useTranslation();
  const { time } = useFormat();
  if (state !== 'offline' || wh === null || updatedAtMs === null) return children;
  return (
    <span className={styles.soFar}>
      <small>{t('states.until', { time: time(updatedAtMs, ianaTimezone ?? localZone()) })}</small> {children}
    </span>
  );
}
