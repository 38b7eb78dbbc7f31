import { type RouteName, routeOf } from '@sonnenwarte/contract/routes';
import { useEffect, useLayoutEffect, useState } from 'react';
import { queryClient } from '../client/queries.ts';
import { go } from '../router/navigation.ts';
import { usePlace } from '../router/place.ts';
import { parseQuery, type Query } from '../router/query.ts';
import { hasScreen } from '../screens.ts';
import { onSessionEnd } from '../state/session.ts';
import { createStore, useStore } from '../state/store.ts';
import { pathOf } from './tab-context.ts';
import { changeTabs, tabState, useTabs } from './tab-state.ts';
import {
  append,
  CONTENT_ID,
  close,
  closeActive,
  closeAll,
  closeOthers,
  loadingIs,
  open,
  refresh,
  reopen,
  replace,
  type Tab,
  type Tabs,
  tabElementId,
  tabIdOf,
} from './tabs.ts';

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

/** What had the focus may have gone with a tab: then the active one has it, or the content where no tabs are shown. */
function keepFocus(): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const tab = document.getElementById(tabElementId(tabState.get().activeId));
  (tab ?? document.getElementById(CONTENT_ID))?.focus({ preventScroll: true });
}

const MAX_CLOSED = 10;

/** Tabs that were closed, the last one last. */
const closed = createStore<{ list: readonly Tab[] }>({ list: [] });
onSessionEnd(() => closed.set({ list: [] }));

const lastClosed = (list: readonly Tab[], { list: opened }: Tabs): Tab | undefined =>
  list.findLast(({ id }) => !opened.some((tab) => tab.id === id));

/** Changes the tabs and leads to the one that is then active. */
function follow(edit: (tabs: Tabs) => Tabs): void {
  const before = tabState.get();
  changeTabs(edit);
  const { list, activeId } = tabState.get();
  const gone = before.list.filter(({ id }) => !list.some((tab) => tab.id === id));
  closed.set((earlier) => ({ list: [...earlier.list, ...gone].slice(-MAX_CLOSED) }));
  const active = list.find((tab) => tab.id === activeId);
  if (active && activeId !== before.activeId) showTab(active);
  // Those who show the tabs were told before and have done so by then.
  queueMicrotask(keepFocus);
}

export const closeTab = (id: string): void => follow((tabs) => close(tabs, id));
export const closeActiveTab = (): void => follow(closeActive);
export const closeAllTabs = (): void => follow(closeAll);
export const closeOtherTabs = (id: string): void => follow((tabs) => closeOthers(tabs, id));

/** Whether a tab was closed that can be opened again. */
export function useReopenable(): boolean {
  const list = useStore(closed, (state) => state.list);
  return lastClosed(list, useTabs()) !== undefined;
}

/** Opens the tab that was closed last, as it was but for what was typed. */
export function reopenClosedTab(): void {
  const tab = lastClosed(closed.get().list, tabState.get());
  if (!tab) return;
  const { id, name, title, query, params } = tab;
  closed.set(({ list }) => ({ list: list.filter((each) => each.id !== id) }));
  changeTabs((tabs) => reopen(tabs, { id, name, title, query, params }));
  showTab(tab);
}

/** Opens a screen without showing it. */
export const appendTab = (name: RouteName, query?: Query, title?: string): void =>
  changeTabs((tabs) =>
    append(tabs, { id: tabIdOf(name, query ?? {}), name, ...(query && { query }), ...(title && { title }) }),
  );

/** Shows a screen in the place of the active tab, whose own has nothing to show any more, or is done. */
export function replaceTab(name: RouteName, query: Query = {}): void {
  changeTabs((tabs) => replace(tabs, { id: tabIdOf(name, query), name, query }));
  const shown = tabState.get().list.find((tab) => tab.isShow);
  go(pathOf(name), shown?.query, { replace: true });
  queueMicrotask(keepFocus);
}

/** Closes the tabs of screens that may not be opened any more, and forgets those that were closed before. */
export function closeTabsBeyond(open: readonly string[]): void {
  changeTabs((tabs) =>
    tabs.list.reduce((kept, tab) => (open.includes(tab.name) || tab.isShow ? kept : close(kept, tab.id)), tabs),
  );
  closed.set(({ list }) => ({ list: list.filter((tab) => open.includes(tab.name)) }));
}

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
