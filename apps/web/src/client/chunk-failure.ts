import { CHUNK_LOAD_TIMEOUT_MS } from '@sonnenwarte/contract/limits';
import { i18n } from '../language/i18n.ts';
import { readSession, writeSession } from '../state/storage.ts';
import { isQuiet } from './quietly.ts';
import { showMessage } from './reporting.ts';
import { answers, untilAnswered } from './server-answer.ts';

const AGAIN_AFTER_MS = 30_000;
/** Until the page is loaded anew, however long that takes. */
const FOR_EVER_MS = 2 ** 31 - 1;

let waiting = false;
const failures = new WeakSet<object>();

/** Whether an error is that of code which could not be loaded; only a page that is loaded anew asks for it again. */
export const isChunkFailure = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && failures.has(error);

/** Whether the page may be loaded anew: not when that has just been tried in vain. */
export const mayReload = (lastReloadMs: unknown, nowMs: number): boolean =>
  typeof lastReloadMs !== 'number' || nowMs - lastReloadMs > AGAIN_AFTER_MS;

function reloadPage(): void {
  writeSession('reloadedAtMs', Date.now());
  location.reload();
}

/** Warns and loads the page anew as soon as the server answers: not before, and not when that has just been tried in vain. */
export function reloadWhenAnswered(): void {
  if (waiting || !mayReload(readSession('reloadedAtMs'), Date.now())) return;
  waiting = true;
  const text = `${i18n.t('common.maintenance')}. ${i18n.t('common.chunkFailure')}`;
  showMessage({ id: 'chunk', text, color: 'yellow', forMs: FOR_EVER_MS });
  void untilAnswered().then(reloadPage);
}

/** Asks the server at once, and loads the page anew if it answers. */
export async function retryNow(): Promise<void> {
  if (await answers()) reloadPage();
  else reloadWhenAnswered();
}

/** A chunk that cannot be loaded mostly means that a new version is out, or that the server is away: warn and wait for it. */
export function watchChunkFailures(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    failures.add(payload);
    if (!isQuiet()) reloadWhenAnswered();
  });
}

/** Waits for code that is being loaded; one that does not come in time counts as failed. Returns how to stop waiting. */
export function awaitChunk(): () => void {
  const timer = setTimeout(reloadWhenAnswered, CHUNK_LOAD_TIMEOUT_MS);
  return () => clearTimeout(timer);
}
