import { conditions } from '@sonnenwarte/contract/sites/site-endpoints';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { read } from '../client/queries.ts';
import { lazyPart } from '../with-texts.ts';

const REFRESH_MS = 60_000;

const ConditionsPanels = lazyPart('conditions', async () => (await import('./conditions-panels.tsx')).ConditionsPanels);

/** Weather at the modules and strings that fall behind, whose words are fetched only where there are any. */
export function SiteConditions({ stationID }: { stationID: string }): ReactNode {
  const { data } = useQuery({ ...read(conditions, { stationID }, { quiet: true }), refetchInterval: REFRESH_MS });
  if (!data || data.stations.length + data.weakStrings.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ConditionsPanels conditions={data} />
    </Suspense>
  );
}
