import { i18n } from '../language/i18n.ts';
import { readSession, writeSession } from '../state/storage.ts';
import { showMessage } from './reporting.ts';

const NOTICE_MS = 2_000;
const AGAIN_AFTER_MS = 30_000;

/** Whether the page may be loaded anew: not when that has just been tried in vain. */
export const mayReload = (lastReloadMs: unknown, nowMs: number): boolean =>
  typeof lastReloadMs !== 'number' || nowMs - lastReloadMs > AGAIN_AFTER_MS;

/** A chunk that cannot be loaded mostly means that a new version is out: warn and load the page anew. */
export function watchChunkFailures(): void {
  addEventListener('vite:preloadError', (event) => {
    if (!mayReload(readSession('reloadedAtMs'), Date.now())) return;
    event.preventDefault();
    writeSession('reloadedAtMs', Date.now());
    showMessage({ id: 'chunk', text: i18n.t('common.chunkFailure'), color: 'yellow' });
    setTimeout(() => location.reload(), NOTICE_MS);
  });
}
