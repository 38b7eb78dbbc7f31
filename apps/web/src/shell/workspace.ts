import { routeOf } from '@sonnenwarte/contract/routes';
import { useEffect, useLayoutEffect, useState } from 'react';
import { queryClient } from '../client/queries.ts';
import { go } from '../router/navigation.ts';
import { usePlace } from '../router/place.ts';
import { parseQuery } from '../router/search.ts';
import { hasScreen } from '../screens.ts';
import { pathOf } from './tab-context.ts';
import { changeTabs, tabState } from './tab-state.ts';
import { close, closeAll, closeOthers, loadingIs, open, refresh, type Tab, type Tabs, tabIdOf } from './tabs.ts';

/** Opens the tab of the address whenever that changes. Returns whether the first one is open. */
export function useAddressTab(): boolean {
  const { pathname, search } = usePlace();
  const [ready, setReady] = useState(false);
  useLayoutEffect(() => {
    const name = routeOf(pathname)?.name ?? '';
    if (!hasScreen(name)) return;
    const query = parseQuery(search);
    changeTabs((tabs) => open(tabs, { id: tabIdOf(name, query), name, query }));
    setReady(true);
  }, [pathname, search]);
  return ready;
}

export const showTab = (tab: Tab): void => go(pathOf(tab.name), tab.query);

/** Changes the tabs and leads to the one that is then active. */
function follow(edit: (tabs: Tabs) => Tabs): void {
  const before = tabState.get().activeId;
  changeTabs(edit);
  const { list, activeId } = tabState.get();
  const active = list.find((tab) => tab.id === activeId);
  if (active && activeId !== before) showTab(active);
}

export const closeTab = (id: string): void => follow((tabs) => close(tabs, id));
export const closeAllTabs = (): void => follow(closeAll);
export const closeOtherTabs = (id: string): void => follow((tabs) => closeOthers(tabs, id));

/** Closes the tabs of screens that may not be opened any more. */
export const closeTabsBeyond = (open: readonly string[]): void =>
  changeTabs((tabs) =>
    tabs.list.reduce((kept, tab) => (open.includes(tab.name) || tab.isShow ? kept : close(kept, tab.id)), tabs),
  );

/** Starts the screen of a tab anew with data read anew; skipped while it is loading. */
export function refreshTab(id: string): void {
  const tab = tabState.get().list.find((each) => each.id === id);
  if (!tab || tab.loadingNum > 0) return;
  void queryClient.invalidateQueries({ type: 'active', refetchType: 'none' });
  changeTabs((tabs) => refresh(tabs, id));
}

/** Mirrors the requests of what is shown into its tab; hidden tabs rest and have none. */
export function useTabLoading(): void {
  useEffect(() => {
    const mirror = (): void => {
      const running = queryClient.isFetching({ type: 'active' }) + queryClient.isMutating();
      changeTabs((tabs) =>
        tabs.list.reduce((all, tab) => loadingIs(all, tab.id, tab.id === tabs.activeId ? running : 0), tabs),
      );
    };
    const stops = [queryClient.getQueryCache().subscribe(mirror), queryClient.getMutationCache().subscribe(mirror)];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}
