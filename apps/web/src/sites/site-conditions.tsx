import { conditions } from '@sonnenwarte/contract/sites/site-endpoints';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { RefreshedEvery } from '../blocks/show/refreshed-every.ts';
import { WhenNear } from '../blocks/show/when-near.tsx';
import { read } from '../client/queries.ts';
import { lazyPart } from '../with-texts.ts';
import styles from './sites.module.css';

const REFRESH_MS = 60_000;

const ConditionsPanels = lazyPart('conditions', async () => (await import('./conditions-panels.tsx')).ConditionsPanels);
const SiteStringsPanel = lazyPart('strings', async () => (await import('./site-strings-panel.tsx')).SiteStringsPanel);

/** Weather at the modules, strings that fall behind and all strings side by side, whose words are fetched only where there are any. */
export function SiteConditions({ stationID }: { stationID: string }): ReactNode {
  const { data } = useQuery({ ...read(conditions, { stationID }, { quiet: true }), refetchInterval: REFRESH_MS });
  if (!data) return null;
  return (
    <RefreshedEvery value={REFRESH_MS}>
      {data.stations.length + data.weakStrings.length > 0 && (
        <Suspense fallback={null}>
          <ConditionsPanels conditions={data} />
        </Suspense>
      )}
      {data.inverters.length > 0 && (
        <WhenNear standIn={<div className={styles.stringsRoom} />}>
          <Suspense fallback={<div className={styles.stringsRoom} />}>
            <SiteStringsPanel inverters={data.inverters} />
          </Suspense>
        </WhenNear>
      )}
    </RefreshedEvery>
  );
}
