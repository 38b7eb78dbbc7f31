import { LEVEL } from '@sonnenwarte/contract/levels';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectNavigation } from '../router/navigation.ts';
import { startSession } from '../state/session.ts';
import { changeTabs, tabState } from './tab-state.ts';
import { append, CONTENT_ID, HOME_TAB_ID, initialTabs, open, retitle, tabElementId } from './tabs.ts';
import {
  appendTab,
  closeActiveTab,
  closeAllTabs,
  closeOtherTabs,
  closeTab,
  closeTabsBeyond,
  reopenClosedTab,
  replaceTab,
} from './workspace.ts';

const go = vi.fn();
/** Ids of the elements that the page shows, and what has the focus. */
let shown: string[];
let focused: unknown;
const body = { id: 'body' };

beforeEach(() => {
  connectNavigation(go);
  startSession('a', LEVEL.admin);
  changeTabs(() => ['a', 'b', 'c'].reduce((tabs, id) => open(tabs, { id, name: 'plant-detail' }), initialTabs));
  shown = [CONTENT_ID, ...[HOME_TAB_ID, 'a', 'b', 'c'].map(tabElementId)];
  focused = body;
  vi.stubGlobal('document', {
    body,
    get activeElement() {
      return focused;
    },
    getElementById: (id: string) => (shown.includes(id) ? { focus: () => (focused = id) } : null),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

/** The page after React has shown the tabs anew. */
const settled = () => Promise.resolve();

describe('what had the focus and went with a tab', () => {
  test.each(['b', 'c'])('hands it to the tab that is then active: %s closed', async (id) => {
    closeTab(id);
    await settled();
    expect(focused).toBe(tabElementId(id === 'c' ? 'b' : 'c'));
  });

  test('hands it to the tab that is left of all others', async () => {
    closeOtherTabs('a');
    await settled();
    expect(focused).toBe(tabElementId('a'));
  });

  test('hands it to the content where no tabs are shown any more', async () => {
    closeAllTabs();
    shown = [CONTENT_ID];
    await settled();
    expect(focused).toBe(CONTENT_ID);
  });
});

test('a focus that was not lost stays where it is', async () => {
  const elsewhere = { id: 'tab actions' };
  focused = elsewhere;
  closeTab('c');
  await settled();
  expect(focused).toBe(elsewhere);
});

const ids = () => tabState.get().list.map(({ id }) => id);
const active = () => tabState.get().activeId;

describe('a closed tab', () => {
  test('is opened again with its title and query, the last one first, and shown', () => {
    changeTabs((tabs) => open(retitle(tabs, 'a', 'Villa'), { id: 'a', name: 'plant-detail', query: { id: 'x' } }));
    closeActiveTab();
    closeTab('b');
    reopenClosedTab();
    expect([ids(), active()]).toEqual([[HOME_TAB_ID, 'c', 'b'], 'b']);
    reopenClosedTab();
    expect(tabState.get().list.at(-1)).toMatchObject({ id: 'a', title: 'Villa', query: { id: 'x' }, isShow: true });
    expect(go).toHaveBeenLastCalledWith('/bus/plant/detail?id=x', {});
  });

  test('that was opened anew since is not opened twice; the one closed before it is', () => {
    closeTab('a');
    closeTab('b');
    changeTabs((tabs) => open(tabs, { id: 'b', name: 'plant-detail' }));
    reopenClosedTab();
    expect([ids(), active()]).toEqual([[HOME_TAB_ID, 'c', 'b', 'a'], 'a']);
  });

  test('of a screen that may not be opened any more is not opened again', () => {
    closeTab('a');
    closeTabsBeyond(['bus-index', 'plant-view']);
    reopenClosedTab();
    expect(ids()).toEqual([HOME_TAB_ID, 'c']);
  });

  test('of a session that has ended is not opened again', () => {
    closeTab('a');
    startSession('b', LEVEL.endUser);
    reopenClosedTab();
    expect(ids()).toEqual([HOME_TAB_ID]);
  });
});

test('a tab that is opened behind the shown one keeps what was chosen in it before', () => {
  changeTabs((tabs) => append(tabs, { id: 'plant-view', name: 'plant-view', query: { content: 'x' } }));
  appendTab('plant-view');
  appendTab('alarm');
  expect([ids().slice(-2), active()]).toEqual([['plant-view', 'alarm'], 'c']);
  expect(tabState.get().list.at(-2)?.query).toEqual({ content: 'x' });
});

test('a list takes the place of the tab whose record is gone, in the history as well', () => {
  changeTabs((tabs) => open(tabs, { id: 'b', name: 'plant-detail' }));
  replaceTab('plant-view');
  expect([ids(), active()]).toEqual([[HOME_TAB_ID, 'a', 'plant-view', 'c'], 'plant-view']);
  expect(go).toHaveBeenLastCalledWith('/bus/plant/view', { replace: true });
});
