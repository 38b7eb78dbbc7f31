import { Activity, Suspense, useMemo } from 'react';
import { LoadingSkeleton, Skeleton } from '../blocks/loading.tsx';
import { screens } from '../screens.ts';
import { ScreenBoundary } from './screen-boundary.tsx';
import { TabContext, type TabContextValue } from './tab-context.ts';
import styles from './tab-outlet.module.css';
import { useTabs } from './tab-state.ts';
import { panelElementId, tabElementId } from './tab-strip.tsx';
import { liveTabs, type Tab } from './tabs.ts';

function TabPanel({ tab, active }: { tab: Tab; active: boolean }) {
  const { id, name, query } = tab;
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
}

/** The screens of the open tabs: the active one is shown, the others used last are kept hidden as they were. */
export function TabOutlet() {
  const tabs = useTabs();
  return liveTabs(tabs).map((tab) => (
    <TabPanel key={`${tab.id} ${tab.version}`} tab={tab} active={tab.id === tabs.activeId} />
  ));
}
