import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { ageMsOf } from '../live/freshness.ts';
import { useLiveState } from '../live/use-live.ts';
import { useNow } from '../live/use-now.ts';
import styles from './live-badge.module.css';

const STEP_MS = 1_000;

/** Whether live values flow; while they do not, how long ago the last ones came. Brief, all being well, a dot is enough. */
export function LiveBadge({ brief = false }: { brief?: boolean }) {
  const { t } = useTranslation();
  const { age } = useFormat();
  const { connected, watching, lastEventAtMs } = useLiveState();
  const nowMs = useNow(STEP_MS);
  if (!watching) return null;
  const text = connected
    ? t('shell.live')
    : lastEventAtMs === null
      ? t('shell.connecting')
      : t('shell.reconnecting', { age: age(ageMsOf(lastEventAtMs, nowMs)) });
  return (
    <span className={styles.badge} data-connected={connected || undefined}>
      <span className={styles.dot} aria-hidden="true" />
      {!(brief && connected) && text}
      <span className="visually-hidden" role="status">
        {connected ? t('shell.live') : t('shell.connecting')}
      </span>
    </span>
  );
}
