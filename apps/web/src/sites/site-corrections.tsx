import { corrections } from '@sonnenwarte/contract/data-repair/corrections';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { read } from '../client/queries.ts';
import { lazyPart } from '../with-texts.ts';

const CorrectionsPanel = lazyPart(
  'corrections',
  async () => (await import('../data-repair/corrections-panel.tsx')).CorrectionsPanel,
);

/** Corrections by hand, whose words are fetched only where there are any. */
export function SiteCorrections({ stationID }: { stationID: string }): ReactNode {
  const { data } = useQuery(read(corrections, { stationID }));
  if (!data || data.corrections.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <CorrectionsPanel stationID={stationID} />
    </Suspense>
  );
}
