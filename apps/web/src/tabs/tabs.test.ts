import type { RouteName } from '@sonnenwarte/contract/routes';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { restoreTabs } from './tab-state.ts';
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
  MAX_LIVE_TABS,
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

const manyIds = [HOME_TAB_ID, ...Array.from({ length: 14 }, (_, index) => `t${index}`)];
const anyId = fc.constantFrom(...manyIds);
const nameOf = (id: string): RouteName => (id === HOME_TAB_ID ? 'bus-index' : name);
const target = (id: string) => ({ id, name: nameOf(id) });
type Step = (tabs: Tabs) => Tabs;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: anyId.map((id) => (tabs: Tabs) => open(tabs, target(id))) },
  anyId.map((id) => (tabs: Tabs) => append(tabs, target(id))),
  anyId.map((id) => (tabs: Tabs) => replace(tabs, target(id))),
  anyId.map((id) => (tabs: Tabs) => reopen(tabs, target(id))),
  anyId.map((id) => (tabs: Tabs) => close(tabs, id)),
  anyId.map((id) => (tabs: Tabs) => refresh(tabs, id)),
  anyId.map((id) => (tabs: Tabs) => retitle(tabs, id, 'Villa')),
  fc.tuple(anyId, fc.nat(3)).map(
    ([id, running]) =>
      (tabs: Tabs) =>
        loadingIs(tabs, id, running),
  ),
  anyId.map((id) => (tabs: Tabs) => closeOthers(tabs, id)),
  fc.constant(closeActive),
  fc.constant(closeAll),
);
const steps = fc.array(step, { maxLength: 60 });
const atHome = open(initialTabs, { id: HOME_TAB_ID, name: 'bus-index' });
const after = (applied: readonly Step[], start: Tabs = atHome) => applied.reduce((tabs, apply) => apply(tabs), start);

/** What holds of tabs after whatever was done with them. */
function expectWhole(tabs: Tabs): void {
  expect(ids(tabs)[0]).toBe(HOME_TAB_ID);
  expect(tabs.list[0]?.name).toBe('bus-index');
  expect(new Set(ids(tabs)).size).toBe(tabs.list.length);
  expect(tabs.list.filter((tab) => tab.isShow).map((tab) => tab.id)).toEqual([tabs.activeId]);
  expect(tabs.list.every((tab) => tab.loadingNum >= 0)).toBe(true);
  expect(tabs.list.every((tab) => tab.components === tab.name)).toBe(true);
  const live = liveTabs(tabs);
  expect(live.length).toBeLessThanOrEqual(MAX_LIVE_TABS);
  expect(live.map((tab) => tab.id)).toContain(tabs.activeId);
}

describe('tab workspace', () => {
  test('home is always there and first, ids are single, exactly the active tab is shown, at most ten are live', () => {
    fc.assert(fc.property(steps, (applied) => expectWhole(after(applied))));
  });

  test('so it is after every reload in between, which keeps the tabs, their order, titles and the active one', () => {
    const isScreen = (each: string): each is RouteName => each !== '';
    fc.assert(
      fc.property(steps, steps, (before, later) => {
        const tabs = after(before);
        const restored = restoreTabs(JSON.parse(JSON.stringify(tabs)), isScreen);
        expect(ids(restored)).toEqual(ids(tabs));
        expect(restored.activeId).toBe(tabs.activeId);
        expect(restored.list.slice(1).map((tab) => tab.title)).toEqual(tabs.list.slice(1).map((tab) => tab.title));
        expect(liveTabs(restored).map((tab) => tab.id)).toEqual([tabs.activeId]);
        expectWhole(restored);
        expectWhole(after(later, restored));
      }),
    );
  });

  test('whatever is stored for a reload, what comes of it is whole', () => {
    const stored = fc.record({
      activeId: anyId,
      list: fc.array(
        fc.record({
          id: fc.constantFrom('', ...manyIds),
          name: fc.constantFrom('plant-view', 'gone'),
          title: fc.option(fc.string(), { nil: null }),
          query: fc.dictionary(fc.string(), fc.string()),
          params: fc.constant({}),
        }),
      ),
    });
    fc.assert(
      fc.property(fc.oneof(stored, fc.anything()), (value) => {
        const restored = restoreTabs(value, (each): each is RouteName => each !== 'gone');
        expectWhole(restored);
        expect(restored.list.some((tab) => (tab.name as string) === 'gone')).toBe(false);
      }),
    );
  });

  test('closing the active tab shows the next, else the previous, and touches no other', () => {
    fc.assert(
      fc.property(steps, (applied) => {
        const tabs = after(applied);
        const index = tabs.list.findIndex((tab) => tab.isShow);
        const closed = closeActive(tabs);
        fc.pre(tabs.activeId !== HOME_TAB_ID);
        expect(closed.activeId).toBe((tabs.list[index + 1] ?? tabs.list[index - 1])?.id);
        expect(ids(closed)).toEqual(ids(tabs).filter((id) => id !== tabs.activeId));
      }),
    );
  });

  test('home cannot be closed', () => {
    fc.assert(
      fc.property(steps, (applied) => {
        const tabs = after(applied);
        expect(close(tabs, HOME_TAB_ID)).toBe(tabs);
      }),
    );
  });

  test('closing another tab than the active one leaves what is shown', () => {
    fc.assert(
      fc.property(steps, anyId, (applied, id) => {
        const tabs = after(applied);
        fc.pre(id !== tabs.activeId);
        expect(close(tabs, id).activeId).toBe(tabs.activeId);
      }),
    );
  });

  test('the eleventh tab takes the place of the one used longest ago, and of no other', () => {
    fc.assert(
      fc.property(steps, anyId, (applied, id) => {
        const before = after(applied);
        const opening = open(before, target(id));
        const alive = liveTabs(before);
        const gone = alive.filter((tab) => !liveTabs(opening).some((each) => each.id === tab.id));
        const opensAnother = !alive.some((tab) => tab.id === id);
        const [longestAgo] = [...alive].sort((a, b) => a.usedAt - b.usedAt);
        const evicts = opensAnother && alive.length === MAX_LIVE_TABS;
        expect(gone.map((tab) => tab.id)).toEqual(evicts ? [longestAgo?.id] : []);
        expect(ids(opening)).toEqual(expect.arrayContaining([...ids(before)]));
      }),
    );
  });

  test('a refresh starts anew exactly where nothing is loading', () => {
    fc.assert(
      fc.property(steps, anyId, (applied, id) => {
        const tabs = after(applied);
        const loading = tabs.list.some((tab) => tab.id === id && tab.loadingNum > 0);
        const raised = refresh(tabs, id).list.filter((tab, index) => tab.version !== tabs.list[index]?.version);
        expect(raised.map((tab) => tab.id)).toEqual(loading || !ids(tabs).includes(id) ? [] : [id]);
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

  test('replacing by a tab that is open elsewhere shows that one, and the active one goes', () => {
    const tabs = replace(opened('a', 'b', 'c'), { id: 'a', name });
    expect([ids(tabs), tabs.activeId]).toEqual([[HOME_TAB_ID, 'a', 'b'], 'a']);
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

  test('what is chosen in a screen of the menu opens no other tab', () => {
    expect(tabIdOf('organization', { view: 'tree', id: 'x' })).toBe(tabIdOf('organization', {}));
    expect(tabIdOf('device-inverter', { sn: 'x' })).toBe(tabIdOf('device-inverter', {}));
  });
});
