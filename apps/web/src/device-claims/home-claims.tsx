import { list } from '@sonnenwarte/contract/device-claims/device-claims';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { read } from '../client/queries.ts';
import { lazyComponent } from '../lazy-screen.ts';

/** Hardly any home has claims. */
const HomeClaimRows = lazyComponent(async () => (await import('./home-claim-rows.tsx')).HomeClaimRows);

/** On every home: serial numbers that wait for a decision, each with its notice at the plant where it is made. */
export function HomeClaims(): ReactNode {
  const query = useQuery(read(list, {}));
  const claims = query.data?.claims.filter(({ state }) => state === 'open') ?? [];
  if (query.error) return <ErrorNotice error={query.error} retry={() => void query.refetch()} keepsShown />;
  if (claims.length === 0) return null;
  return (
    <Suspense>
      <HomeClaimRows claims={claims} />
    </Suspense>
  );
}
