import type { RouteName } from '@sonnenwarte/contract/routes';
import { useMemo } from 'react';
import * as z from 'zod/mini';
import { hasScreen } from '../screens.ts';
import { onSessionEnd, onSessionStart, tokenOf } from '../state/session.ts';
import { readSession, writeSession } from '../state/storage.ts';
import { createStore, useStore } from '../state/store.ts';
import { HOME_TAB_ID, initialTabs, type Tab, type Tabs } from './tabs.ts';

const query = z.record(z.string(), z.string());
const storedTabs = z.object({
  activeId: z.string(),
  list: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      title: z.nullable(z.string()),
      query,
      params: query,
    }),
  ),
});

/** Tabs as kept across a reload, none of them live but the active one; tabs whose screen no longer exists are dropped. */
export function restoreTabs(stored: unknown, isScreen: (name: string) => name is RouteName): Tabs {
  const parsed = z.safeParse(storedTabs, stored);
  if (!parsed.success) return initialTabs;
  const seen = new Set([HOME_TAB_ID]);
  const list = parsed.data.list.flatMap((tab): Tab[] =>
    isScreen(tab.name) && tab.id !== '' && !seen.has(tab.id) && seen.add(tab.id)
      ? [{ ...tab, name: tab.name, components: tab.name, isShow: false, loadingNum: 0, version: 0, usedAt: 0 }]
      : [],
  );
  const all = [...initialTabs.list, ...list];
  const activeId = all.find((tab) => tab.id === parsed.data.activeId)?.id ?? HOME_TAB_ID;
  return { activeId, list: all.map((tab) => ({ ...tab, isShow: tab.id === activeId })) };
}

export const tabState = createStore<Tabs>(restoreTabs(readSession('tabs'), hasScreen));

tabState.subscribe(() => {
  const tabs = tabState.get();
  if (tokenOf() !== '') writeSession('tabs', tabs.list === initialTabs.list ? null : tabs);
});
onSessionEnd(() => tabState.set(initialTabs));
onSessionStart(() => tabState.set(restoreTabs(readSession('tabs'), hasScreen)));

export const useTabs = (): Tabs => {
  const list = useStore(tabState, (tabs) => tabs.list);
  const activeId = useStore(tabState, (tabs) => tabs.activeId);
  return { list, activeId };
};

/** What is shown: of it screens are told apart, and not by the requests that it has running. */
export const useActiveTab = (): { name: Tab['name']; title: Tab['title'] } | undefined => {
  const name = useStore(tabState, (tabs) => activeOf(tabs)?.name);
  const title = useStore(tabState, (tabs) => activeOf(tabs)?.title) ?? null;
  return useMemo(() => (name === undefined ? undefined : { name, title }), [name, title]);
};

/** Whether there is more than home. */
export const useHasTabs = (): boolean => useStore(tabState, ({ list }) => list.length > 1);

const activeOf = ({ list, activeId }: Tabs): Tab | undefined => list.find(({ id }) => id === activeId);

export const changeTabs = (edit: (tabs: Tabs) => Tabs): void => tabState.set(edit);
