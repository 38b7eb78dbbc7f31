import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { ageMsOf } from '../live/freshness.ts';
import { useBrokenSince } from '../live/line-state.ts';
import { useLiveState } from '../live/use-live.ts';
import { useNow } from '../live/use-now.ts';
import styles from './live-badge.module.css';

const STEP_MS = 1_000;

/**
 * Whether live values flow, and on every screen alike that the server is not heard, with how long it has not been. Brief, all
 * being well, a dot is enough.
 */
export function LiveBadge({ brief = false }: { brief?: boolean }) {
  const { t } = useTranslation();
  const { age } = useFormat();
  const { connected, watching } = useLiveState();
  const brokenSinceMs = useBrokenSince();
  const nowMs = useNow(STEP_MS);
  if (!watching && brokenSinceMs === null) return null;
  const isLive = connected && brokenSinceMs === null;
  const text = isLive
    ? t('shell.live')
    : brokenSinceMs === null
      ? t('shell.connecting')
      : t('shell.reconnecting', { age: age(ageMsOf(brokenSinceMs, nowMs)) });
  return (
    <span
      className={styles.badge}
      data-connected={isLive || undefined}
      data-broken={brokenSinceMs !== null || undefined}
    >
      <span className={styles.dot} aria-hidden="true" />
      {!(brief && brokenSinceMs === null) && text}
      <span className="visually-hidden" role="status">
        {isLive ? t('shell.live') : t('shell.connecting')}
      </span>
    </span>
  );
}
