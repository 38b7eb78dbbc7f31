import { type RouteName, routes } from '@sonnenwarte/contract/routes';
import { createContext, use, useCallback, useEffect } from 'react';
import { go } from '../router/navigation.ts';
import type { Query } from '../router/query.ts';
import { changeTabs } from './tab-state.ts';
import { retitle } from './tabs.ts';

/** The tab in which a screen lives: a hidden tab keeps its own query while the address shows another's. */
export interface TabContextValue {
  id: string;
  name: RouteName;
  query: Query;
  active: boolean;
}

export const TabContext = createContext<TabContextValue | undefined>(undefined);

export function useTab(): TabContextValue {
  const tab = use(TabContext);
  if (!tab) throw new Error('Used outside a tab of the workspace');
  return tab;
}

export const pathOf = (name: RouteName): string => routes.find((route) => route.name === name)?.path ?? '/error/404';

/** Query of the screen's own tab, and how to change it. */
export function useTabQuery(): [Query, (query: Query) => void] {
  const { name, query } = useTab();
  const setQuery = useCallback((next: Query) => go(pathOf(name), next, { replace: true }), [name]);
  return [query, setQuery];
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The record that the address of the screen's tab names, as `id` or by its own name; nothing where it names none. */
export function useRecordID(
  ownName: 'stationID' | 'deviceID' | 'moduleID' | 'incidentID' | 'orderID',
): string | undefined {
  const { query } = useTab();
  const named = query.id ?? query[ownName] ?? '';
  return uuid.test(named) ? named : undefined;
}

/** Gives the tab its title as soon as it is known. */
export function useTabTitle(title: string | undefined): void {
  const { id } = useTab();
  useEffect(() => {
    if (title !== undefined && title !== '') changeTabs((tabs) => retitle(tabs, id, title));
  }, [id, title]);
}
