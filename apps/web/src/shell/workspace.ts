import { routeOf } from '@sonnenwarte/contract/routes';
import { useLocation } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';
import { go } from '../router/navigation.ts';
import { parseQuery } from '../router/search.ts';
import { hasScreen } from '../screens.ts';
import { pathOf } from './tab-context.ts';
import { changeTabs, tabState } from './tab-state.ts';
import { close, closeAll, closeOthers, open, refresh, type Tab, type Tabs, tabIdOf } from './tabs.ts';

/** Opens the tab of the address whenever that changes. Returns whether the first one is open. */
export function useAddressTab(): boolean {
  const { pathname, searchStr } = useLocation();
  const [ready, setReady] = useState(false);
  useLayoutEffect(() => {
    const route = routeOf(pathname);
    const name = route?.name ?? '';
    if (!hasScreen(name)) return;
    const query = parseQuery(searchStr);
    changeTabs((tabs) => open(tabs, { id: tabIdOf(name, query), name, query }));
    setReady(true);
  }, [pathname, searchStr]);
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
export const closeOtherTabs = (): void => follow((tabs) => closeOthers(tabs));
export const refreshTab = (id: string): void => changeTabs((tabs) => refresh(tabs, id));
