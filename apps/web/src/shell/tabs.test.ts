import type { RouteName } from '@sonnenwarte/contract/routes';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  append,
  close,
  closeActive,
  closeAll,
  closeOthers,
  HOME_TAB_ID,
  initialTabs,
  liveTabs,
  loadingIs,
  open,
  refresh,
  reopen,
  replace,
  retitle,
  type Tabs,
  tabIdOf,
} from './tabs.ts';

const name: RouteName = 'plant-view';
const opened = (...ids: string[]) => ids.reduce((tabs, id) => open(tabs, { id, name }), initialTabs);
const ids = (tabs: Tabs) => tabs.list.map((tab) => tab.id);

const anyId = fc.constantFrom(HOME_TAB_ID, 'a', 'b', 'c', 'd');
const step = fc.oneof(
  anyId.map((id) => (tabs: Tabs) => open(tabs, { id, name })),
  anyId.map((id) => (tabs: Tabs) => append(tabs, { id, name })),
  anyId.map((id) => (tabs: Tabs) => replace(tabs, { id, name })),
  anyId.map((id) => (tabs: Tabs) => reopen(tabs, { id, name })),
  anyId.map((id) => (tabs: Tabs) => close(tabs, id)),
  anyId.map((id) => (tabs: Tabs) => refresh(tabs, id)),
  anyId.map((id) => (tabs: Tabs) => loadingIs(tabs, id, 0)),
  anyId.map((id) => (tabs: Tabs) => closeOthers(tabs, id)),
  fc.constant(closeActive),
  fc.constant(closeAll),
);

describe('tab workspace', () => {
  test('home is always there, ids are single, and exactly the active tab is shown', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const tabs = steps.reduce((current, apply) => apply(current), initialTabs);
        expect(ids(tabs)[0]).toBe(HOME_TAB_ID);
        expect(new Set(ids(tabs)).size).toBe(tabs.list.length);
        expect(tabs.list.filter((tab) => tab.isShow).map((tab) => tab.id)).toEqual([tabs.activeId]);
        expect(tabs.list.every((tab) => tab.loadingNum >= 0)).toBe(true);
      }),
    );
  });

  test('opening needs a tabId', () => {
    expect(() => open(initialTabs, { id: '', name })).toThrow('A tab needs a tabId');
  });

  test('closing the active tab shows the next, or the previous where it was the last', () => {
    const tabs = open(opened('a', 'b', 'c'), { id: 'b', name });
    expect(closeActive(tabs).activeId).toBe('c');
    expect(closeActive(closeActive(tabs)).activeId).toBe('a');
  });

  test('closing another tab leaves the active one', () => {
    expect(close(opened('a', 'b'), 'a').activeId).toBe('b');
  });

  test('closing all leaves home; closing others leaves home and the active one', () => {
    expect(ids(closeAll(opened('a', 'b')))).toEqual([HOME_TAB_ID]);
    expect(ids(closeOthers(opened('a', 'b', 'c')))).toEqual([HOME_TAB_ID, 'c']);
  });

  test('replacing puts the other tab in the same place', () => {
    const tabs = replace(open(opened('a', 'b', 'c'), { id: 'b', name }), { id: 'd', name });
    expect(ids(tabs)).toEqual([HOME_TAB_ID, 'a', 'd', 'c']);
    expect(tabs.activeId).toBe('d');
  });

  test('appending does not show the tab', () => {
    const tabs = append(opened('a'), { id: 'b', name });
    expect([tabs.activeId, ids(tabs).at(-1)]).toEqual(['a', 'b']);
  });

  test('a refresh is skipped while the tab is loading', () => {
    const versionOf = (tabs: Tabs) => tabs.list.find((tab) => tab.id === 'a')?.version;
    const loading = loadingIs(opened('a'), 'a', 1);
    expect(versionOf(refresh(loading, 'a'))).toBe(0);
    expect(versionOf(refresh(loadingIs(loading, 'a', 0), 'a'))).toBe(1);
  });

  test('a count of requests that is already known changes nothing', () => {
    const tabs = loadingIs(opened('a'), 'a', 2);
    expect(loadingIs(tabs, 'a', 2)).toBe(tabs);
  });

  test('a tab can be retitled', () => {
    expect(retitle(opened('a'), 'a', 'Villa').list.at(-1)?.title).toBe('Villa');
  });

  test('at most ten screens are kept, the active one among them', () => {
    const tabs = opened(...Array.from({ length: 15 }, (_, index) => `t${index}`));
    const back = open(tabs, { id: 't0', name });
    expect(liveTabs(back)).toHaveLength(10);
    expect(liveTabs(back).map((tab) => tab.id)).toContain('t0');
    expect(liveTabs(back).map((tab) => tab.id)).not.toContain('t1');
  });

  test('each plant has a tab of its own, a list has one', () => {
    expect(tabIdOf('plant-detail', { stationID: 'x' })).not.toBe(tabIdOf('plant-detail', { stationID: 'y' }));
    expect(tabIdOf('plant-view', { currentPage: '2' })).toBe(tabIdOf('plant-view', {}));
    expect(tabIdOf('bus-index', {})).toBe(HOME_TAB_ID);
  });
});
