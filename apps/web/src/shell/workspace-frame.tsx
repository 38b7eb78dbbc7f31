import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '../client/queries.ts';
import { fetchPhoneBars, Shell } from './shell.tsx';

export { fetchPhoneBars };

/** The workspace with what its screens need: the state of the server. */
export function WorkspaceFrame() {
  return (
    <QueryClientProvider client={queryClient}>
      <Shell />
    </QueryClientProvider>
  );
}
