import type { RouteName } from '@sonnenwarte/contract/routes';
import { Activity, memo, Suspense, useLayoutEffect, useMemo, useRef } from 'react';
import { ChunkWait } from '../../problems/chunk-wait.tsx';
import type { Query } from '../../router/query.ts';
import { screens } from '../../screens.ts';
import { useRouteLabel } from '../../tabs/route-label.ts';
import { TabContext, type TabContextValue } from '../../tabs/tab-context.ts';
import { useTabs } from '../../tabs/tab-state.ts';
import { liveTabs, panelElementId, tabElementId } from '../../tabs/tabs.ts';
import { ScreenBoundary } from '../screen-boundary.tsx';
import { ScreenSkeleton } from '../screen-skeleton.tsx';
import styles from './tab-outlet.module.css';

interface TabPanelProps {
  id: string;
  name: RouteName;
  components: RouteName;
  query: Query;
  active: boolean;
  /** Name of the panel where no tab names it. */
  label: string | undefined;
}

/** One screen; rendered anew only for what concerns it, not for each request that begins or ends. */
const TabPanel = memo(function TabPanel({ id, name, components, query, active, label }: TabPanelProps) {
  const Screen = screens[components];
  const value = useMemo<TabContextValue>(() => ({ id, name, query, active }), [id, name, query, active]);
  return (
    <Activity mode={active ? 'visible' : 'hidden'}>
      <div
        role="tabpanel"
        id={panelElementId(id)}
        aria-label={label}
        aria-labelledby={label === undefined ? tabElementId(id) : undefined}
        className={styles.panel}
      >
        <TabContext value={value}>
          <ScreenBoundary>
            <Suspense
              fallback={
                <ChunkWait>
                  <ScreenSkeleton name={components} />
                </ChunkWait>
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

/** Each tab stands where it was left: the window scrolls for all of them. */
function useScrollOfTab(activeId: string): void {
  const left = useRef(new Map<string, number>());
  // Before anything is drawn: a scroll of the new tab must not be noted as one of the tab before.
  useLayoutEffect(() => {
    const note = () => void left.current.set(activeId, scrollY);
    addEventListener('scroll', note, { passive: true });
    scrollTo(0, left.current.get(activeId) ?? 0);
    return () => removeEventListener('scroll', note);
  }, [activeId]);
}

/** The screens of the open tabs: the active one is shown, the others used last are kept hidden as they were. */
export function TabOutlet({ withStrip }: { withStrip: boolean }) {
  const tabs = useTabs();
  const labelOf = useRouteLabel();
  useScrollOfTab(tabs.activeId);
  return liveTabs(tabs).map(({ id, version, ...tab }) => (
    <TabPanel
      key={`${id} ${version}`}
      id={id}
      name={tab.name}
      components={tab.components}
      query={tab.query}
      active={tab.isShow}
      label={withStrip ? undefined : (tab.title ?? labelOf(tab.name))}
    />
  ));
}
