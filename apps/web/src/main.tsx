import './theme/styles.ts';
import { errorMessages } from '@sonnenwarte/contract/errors/errors';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { call } from './client/call.ts';
import { watchChunkFailures } from './client/chunk-failure.ts';
import { connectErrorTable, readErrorTable } from './client/error-table.ts';
import { fetchFirstScreen } from './first-screen.ts';
import { startLanguage } from './language/i18n.ts';
import { NoticeList } from './notices/notice-list.tsx';
import { Router, startRouter } from './router.tsx';
import { whileIdle } from './state/idle.ts';
import { followSessionOfOtherWindows } from './state/session.ts';
import { showColourScheme } from './theme/colour-scheme.ts';

showColourScheme();
watchChunkFailures();
const firstTexts = fetchFirstScreen(location);
connectErrorTable(async () => (await call(errorMessages, {}, { quiet: true })).messages);

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

whileIdle([() => readErrorTable().then(() => true)]);
