import { type RouteName, routes } from '@sonnenwarte/contract/routes';
import type { Query } from '../router/query.ts';

export const HOME_TAB_ID = 'tab-index';
export const MAX_LIVE_TABS = 10;

/** A tab of the workspace (specification, section 3). */
export interface Tab {
  id: string;
  /** The route, whose name the tab bears until it has a title of its own. */
  name: RouteName;
  /** The screen that the tab shows, by the name under which its feature offers it. */
  components: RouteName;
  /** Set by the screen, for example the name of a plant; `null` shows the name of the route. */
  title: string | null;
  isShow: boolean;
  query: Query;
  params: Query;
  /** Requests of the tab that are running; a refresh is skipped meanwhile. */
  loadingNum: number;
  /** Raised by a refresh or reopening: the screen starts anew. */
  version: number;
  /** Order of use, 0 before it was first shown; the tabs used longest ago are not kept alive. */
  usedAt: number;
}

export interface Tabs {
  list: readonly Tab[];
  activeId: string;
}

export type TabTarget = Pick<Tab, 'id' | 'name'> & Partial<Pick<Tab, 'title' | 'components' | 'query' | 'params'>>;

const homeTab: Tab = {
  id: HOME_TAB_ID,
  name: 'bus-index',
  components: 'bus-index',
  title: null,
  isShow: true,
  query: {},
  params: {},
  loadingNum: 0,
  version: 0,
  usedAt: 0,
};

export const initialTabs: Tabs = { list: [homeTab], activeId: HOME_TAB_ID };

function withId(target: TabTarget): TabTarget {
  if (target.id === '') throw new Error('A tab needs a tabId');
  return target;
}

const nextUse = (tabs: Tabs): number => Math.max(...tabs.list.map((tab) => tab.usedAt)) + 1;

const change = (tabs: Tabs, id: string, edit: (tab: Tab) => Tab): Tabs => ({
  ...tabs,
  list: tabs.list.map((tab) => (tab.id === id ? edit(tab) : tab)),
});

const showOnly = (tabs: Tabs, id: string): Tabs => ({
  activeId: id,
  list: tabs.list.map((tab) => ({
    ...tab,
    isShow: tab.id === id,
    usedAt: tab.id === id ? nextUse(tabs) : tab.usedAt,
  })),
});

const created = (target: TabTarget): Tab => ({
  ...homeTab,
  components: target.name,
  isShow: false,
  usedAt: 0,
  ...target,
});

/** Adds a tab at the end without showing it; one that is open only takes the new query. */
export function append(tabs: Tabs, target: TabTarget): Tabs {
  const { id } = withId(target);
  if (!tabs.list.some((tab) => tab.id === id)) return { ...tabs, list: [...tabs.list, created(target)] };
  return change(tabs, id, (tab) => ({
    ...tab,
    query: target.query ?? tab.query,
    params: target.params ?? tab.params,
  }));
}

/** Shows a tab, adding it where it is not open. */
export const open = (tabs: Tabs, target: TabTarget): Tabs => showOnly(append(tabs, target), target.id);

/** Puts another tab in the place of the active one, which goes; home stays. One that is open already stays where it is. */
export function replace(tabs: Tabs, target: TabTarget): Tabs {
  const { id } = withId(target);
  if (tabs.activeId === HOME_TAB_ID || tabs.activeId === id) return open(tabs, target);
  if (tabs.list.some((tab) => tab.id === id)) return open(close(tabs, tabs.activeId), target);
  const list = tabs.list.map((tab) => (tab.id === tabs.activeId ? created(target) : tab));
  return showOnly({ ...tabs, list }, id);
}

/** Starts the screen of an open tab anew; skipped while the tab is loading. */
export const refresh = (tabs: Tabs, id: string): Tabs =>
  change(tabs, id, (tab) => (tab.loadingNum > 0 ? tab : { ...tab, version: tab.version + 1 }));

/** Shows a tab with its screen started anew. */
export const reopen = (tabs: Tabs, target: TabTarget): Tabs => refresh(open(tabs, target), target.id);

/** Closes a tab. Of the active one the next follows, else the previous. Home cannot be closed. */
export function close(tabs: Tabs, id: string): Tabs {
  const index = tabs.list.findIndex((tab) => tab.id === id);
  if (id === HOME_TAB_ID || index === -1) return tabs;
  const list = tabs.list.filter((tab) => tab.id !== id);
  if (tabs.activeId !== id) return { ...tabs, list };
  const follower = list[index] ?? list[index - 1] ?? homeTab;
  return showOnly({ ...tabs, list }, follower.id);
}

export const closeActive = (tabs: Tabs): Tabs => close(tabs, tabs.activeId);

export const closeAll = (tabs: Tabs): Tabs =>
  showOnly({ ...tabs, list: tabs.list.filter((tab) => tab.id === HOME_TAB_ID) }, HOME_TAB_ID);

export const closeOthers = (tabs: Tabs, id: string = tabs.activeId): Tabs => {
  const list = tabs.list.filter((tab) => tab.id === HOME_TAB_ID || tab.id === id);
  return showOnly({ ...tabs, list }, list.some((tab) => tab.id === id) ? id : HOME_TAB_ID);
};

export const retitle = (tabs: Tabs, id: string, title: string): Tabs => change(tabs, id, (tab) => ({ ...tab, title }));

/** Requests running in a tab. */
export const loadingIs = (tabs: Tabs, id: string, loadingNum: number): Tabs =>
  tabs.list.some((tab) => tab.id === id && tab.loadingNum !== loadingNum)
    ? change(tabs, id, (tab) => ({ ...tab, loadingNum }))
    : tabs;

/** The tabs whose screens are kept: the active one and, of those that were shown, the ones used last. */
export function liveTabs(tabs: Tabs, max = MAX_LIVE_TABS): readonly Tab[] {
  const used = tabs.list
    .filter((tab) => tab.usedAt > 0 || tab.id === tabs.activeId)
    .sort((a, b) => b.usedAt - a.usedAt);
  const kept = new Set(used.slice(0, max).map((tab) => tab.id));
  return tabs.list.filter((tab) => kept.has(tab.id));
}

export const tabElementId = (id: string): string => `tab-of-${id}`;
export const panelElementId = (id: string): string => `panel-of-${id}`;
/** The element that holds the screens. */
export const CONTENT_ID = 'content';

/** Query fields that name what a screen shows: each plant or device has a tab of its own. */
const identifying = ['stationID', 'deviceID', 'id', 'sn'];

/** Listed in the menu, and showing one record where the address names one. */
const listsAndShows: readonly RouteName[] = ['device-gateway'];

/** Screens that the menu does not list show one record; of those that it lists each has one tab, whatever is chosen there. */
const showsOneRecord = (name: RouteName): boolean =>
  listsAndShows.includes(name) || routes.some((route) => route.name === name && 'hidden' in route);

export const tabIdOf = (name: RouteName, query: Query): string => {
  if (name === 'bus-index') return HOME_TAB_ID;
  const named = showsOneRecord(name) ? identifying.flatMap((key) => query[key] ?? []) : [];
  return [name, ...named].join(':');
};
