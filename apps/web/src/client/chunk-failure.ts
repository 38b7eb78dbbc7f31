import { CHUNK_LOAD_TIMEOUT_MS } from '@sonnenwarte/contract/limits';
import { i18n } from '../language/i18n.ts';
import { readSession, writeSession } from '../state/storage.ts';
import { showMessage } from './reporting.ts';

const NOTICE_MS = 2_000;
const AGAIN_AFTER_MS = 30_000;

let reloading = false;
const failures = new WeakSet<object>();

/** Whether an error is that of code which could not be loaded; only a page that is loaded anew asks for it again. */
export const isChunkFailure = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && failures.has(error);

/** Whether the page is about to be loaded anew; what fails meanwhile is of no interest. */
export const isReloading = (): boolean => reloading;

/** Whether the page may be loaded anew: not when that has just been tried in vain. */
export const mayReload = (lastReloadMs: unknown, nowMs: number): boolean =>
  typeof lastReloadMs !== 'number' || nowMs - lastReloadMs > AGAIN_AFTER_MS;

/** Warns and loads the page anew. Returns whether it does: not when that has just been tried in vain. */
function reloadPage(): boolean {
  if (reloading) return true;
  if (!mayReload(readSession('reloadedAtMs'), Date.now())) return false;
  reloading = true;
  writeSession('reloadedAtMs', Date.now());
  const text = `${i18n.t('common.maintenance')}. ${i18n.t('common.chunkFailure')}`;
  showMessage({ id: 'chunk', text, color: 'yellow', forMs: NOTICE_MS * 2 });
  setTimeout(() => location.reload(), NOTICE_MS);
  return true;
}

/** A chunk that cannot be loaded mostly means that a new version is out: warn and load the page anew. */
export function watchChunkFailures(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    failures.add(payload);
    reloadPage();
  });
}

/** Waits for code that is being loaded; one that does not come in time counts as failed. Returns how to stop waiting. */
export function awaitChunk(): () => void {
  const timer = setTimeout(reloadPage, CHUNK_LOAD_TIMEOUT_MS);
  return () => clearTimeout(timer);
}
