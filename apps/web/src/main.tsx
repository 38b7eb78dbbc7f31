import './theme/styles.ts';
import { errorMessages } from '@sonnenwarte/contract/errors/errors';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { call } from './client/call.ts';
import { watchChunkFailures } from './client/chunk-failure.ts';
import { startLanguage } from './language/i18n.ts';
import { NoticeList } from './notices/notice-list.tsx';
import { fetchFirstScreen, Router, startRouter } from './router/router.tsx';
import { globalState } from './state/global-state.ts';
import { followSessionOfOtherWindows } from './state/session.ts';
import { showColourScheme } from './theme/colour-scheme.ts';

showColourScheme();
watchChunkFailures();
const firstTexts = fetchFirstScreen(location.pathname);

void call(errorMessages, {}, { quiet: true }).then(
  ({ messages }) => globalState.set({ errorMessages: messages }),
  () => undefined,
);

await startLanguage(firstTexts);
startRouter();
followSessionOfOtherWindows();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Router />
      <NoticeList />
    </StrictMode>,
  );
}
