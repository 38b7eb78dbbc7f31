import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '../client/queries.ts';
import { Kit } from '../theme/kit.tsx';
import { Shell } from './shell.tsx';

/** The workspace with what its screens need: server state and the component kit. */
export function WorkspaceFrame() {
  return (
    <QueryClientProvider client={queryClient}>
      <Kit>
        <Shell />
      </Kit>
    </QueryClientProvider>
  );
}
