import { list } from '@sonnenwarte/contract/device-claims/device-claims';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { read } from '../client/queries.ts';

const REFRESH_MS = 60_000;
/** There is hardly ever one: what shows them is fetched when there is. */
const ClaimList = lazy(async () => ({ default: (await import('./claim-list.tsx')).ClaimList }));

/** Serial numbers of a plant's devices that another plant's datalogger claims, or the other way round. */
export function ClaimsNotice({ stationID }: { stationID: string }): ReactNode {
  const query = useQuery({ ...read(list, { stationID }), refetchInterval: REFRESH_MS });
  const claims = query.data?.claims ?? [];
  return (
    <>
      {query.error && <ErrorNotice error={query.error} retry={() => void query.refetch()} keepsShown={!!query.data} />}
      {claims.length > 0 && (
        <Suspense fallback={null}>
          <ClaimList claims={claims} />
        </Suspense>
      )}
    </>
  );
}
