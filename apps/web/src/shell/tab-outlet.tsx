import type { RouteName } from '@sonnenwarte/contract/routes';
import { Activity, memo, Suspense, useMemo } from 'react';
import { LoadingSkeleton, Skeleton } from '../blocks/loading.tsx';
import type { Query } from '../router/search.ts';
import { screens } from '../screens.ts';
import { ScreenBoundary } from './screen-boundary.tsx';
import { TabContext, type TabContextValue } from './tab-context.ts';
import styles from './tab-outlet.module.css';
import { useTabs } from './tab-state.ts';
import { panelElementId, tabElementId } from './tab-strip.tsx';
import { liveTabs } from './tabs.ts';

interface TabPanelProps {
  id: string;
  name: RouteName;
  query: Query;
  active: boolean;
}

/** One screen; rendered anew only for what concerns it, not for each request that begins or ends. */
const TabPanel = memo(function TabPanel({ id, name, query, active }: TabPanelProps) {
  const Screen = screens[name];
  const value = useMemo<TabContextValue>(() => ({ id, name, query, active }), [id, name, query, active]);
  return (
    <Activity mode={active ? 'visible' : 'hidden'}>
      <div role="tabpanel" id={panelElementId(id)} aria-labelledby={tabElementId(id)} className={styles.panel}>
        <TabContext value={value}>
          <ScreenBoundary>
            <Suspense
              fallback={
                <LoadingSkeleton>
                  <Skeleton width="16rem" height="2rem" />
                  <Skeleton height="6rem" />
                  <Skeleton height="22rem" />
                </LoadingSkeleton>
              }
            >
              {Screen && <Screen />}
            </Suspense>
          </ScreenBoundary>
        </TabContext>
      </div>
    </Activity>
  );
});

/** The screens of the open tabs: the active one is shown, the others used last are kept hidden as they were. */
export function TabOutlet() {
  const tabs = useTabs();
  return liveTabs(tabs).map(({ id, name, query, version }) => (
    <TabPanel key={`${id} ${version}`} id={id} name={name} query={query} active={id === tabs.activeId} />
  ));
}
