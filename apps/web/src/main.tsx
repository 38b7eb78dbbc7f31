import './theme/styles.ts';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { errorMessages } from '@sonnenwarte/contract/messages/errors';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { call } from './client/call.ts';
import { watchChunkFailures } from './client/chunk-failure.ts';
import { queryClient } from './client/queries.ts';
import { startLanguage } from './language/i18n.ts';
import { connectRouter, router } from './router/router.tsx';
import { globalState } from './state/global-state.ts';
import { onSessionEnd } from './state/session.ts';
import { colorScheme, theme } from './theme/theme.ts';

const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
setNonce(nonce);
connectRouter();
watchChunkFailures();
onSessionEnd(() => queryClient.clear());

function App() {
  return (
    <MantineProvider theme={theme} colorSchemeManager={colorScheme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <Notifications position="top-right" limit={4} />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

void call(errorMessages, {}, { quiet: true }).then(
  ({ messages }) => globalState.set({ errorMessages: messages }),
  () => undefined,
);

await startLanguage();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
