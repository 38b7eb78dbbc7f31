import { errorMessages } from '@sonnenwarte/contract/errors/errors';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { call } from './client/call.ts';
import { watchChunkFailures } from './client/chunk-failure.ts';
import { connectErrorTable, readErrorTable } from './client/error-table.ts';
import { startWorker } from './client/service-worker.ts';
import type { FirstScreen } from './first-screen.ts';
import { startLanguage } from './language/i18n.ts';
import { NoticeList } from './notices/notice-list.tsx';
import { Router, startRouter } from './router.tsx';
import { whileIdle } from './state/idle.ts';
import { followSessionOfOtherWindows, onSessionEnd, tokenOf } from './state/session.ts';
import { readLocal } from './state/storage.ts';

const SKELETON_AFTER_MS = 200;
const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Nobody sees what this browser kept for an account that has signed out. */
function forgetKept(): void {
  if (readLocal('kept') === null) return;
  void import('./live/kept-answers.ts').then(({ forgetAnswers }) => forgetAnswers()).catch(() => undefined);
}

/** Shows the portal in the page. */
export async function showApp({ texts, settled }: FirstScreen): Promise<void> {
  watchChunkFailures();
  connectErrorTable(async () => (await call(errorMessages, {}, { quiet: true })).messages);
  await startLanguage(texts);
  // The mark stands a moment longer, and then the screen instead of its skeleton.
  await Promise.race([settled, delay(SKELETON_AFTER_MS)]);
  startRouter();
  followSessionOfOtherWindows();
  if (tokenOf() === '') forgetKept();
  onSessionEnd(forgetKept);
  const root = document.getElementById('root');
  if (root) {
    createRoot(root).render(
      <StrictMode>
        <Router />
        <NoticeList />
      </StrictMode>,
    );
  }
  whileIdle([() => readErrorTable().then(() => true), startWorker]);
}
