import { LEVEL } from '@sonnenwarte/contract/levels';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../client/queries.ts';
import { changeTabs, tabState } from '../tabs/tab-state.ts';
import { initialTabs, open } from '../tabs/tabs.ts';
import { memoryStorage } from '../testing/memory-storage.ts';
import { globalState } from './global-state.ts';
import { dropDataOfOthers, endSession, keepLoginInfo, keepPermissions, startSession, tokenOf } from './session.ts';

beforeEach(() => {
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('sessionStorage', memoryStorage());
});
afterEach(() => vi.unstubAllGlobals());

const storedHere = () =>
  Object.fromEntries(
    Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? '').map((key) => [
      key,
      sessionStorage.getItem(key),
    ]),
  );
const grant = (menu: readonly string[]) => keepPermissions({ codes: ['site:edit'], menu, viewAs: null });

test('a session that begins over a living one takes nothing of it along', () => {
  startSession('a', LEVEL.admin);
  keepLoginInfo({ username: 'a', email: '', phone: '' });
  grant(['plant-view']);
  changeTabs((tabs) => open(tabs, { id: 'plant-view', name: 'plant-view' }));
  sessionStorage.setItem('drafts', '{"page|/x|new":{"name":"of a"}}');
  queryClient.setQueryData(['sites'], 'of a');

  startSession('b', LEVEL.endUser);
  expect(tokenOf()).toBe('b');
  expect(globalState.get()).toMatchObject({ access: LEVEL.endUser, menuCode: undefined, buttonPermissions: [] });
  expect([localStorage.getItem('menuCode'), localStorage.getItem('loginInfo')]).toEqual([null, null]);
  expect(storedHere()).toEqual({ heldFor: '"b"' });
  expect(tabState.get()).toEqual(initialTabs);
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});

test('a session that begins in a read-only view ends the view, and is the one of all windows', () => {
  startSession('a', LEVEL.admin);
  sessionStorage.setItem('view:token', 'view');
  expect(tokenOf()).toBe('view');
  startSession('b', LEVEL.endUser);
  expect([tokenOf(), localStorage.getItem('token')]).toEqual(['b', 'b']);
  expect(storedHere()).toEqual({ heldFor: '"b"' });
});

test('a group that was narrowed takes effect in every window, whichever learnt of it first', () => {
  startSession('a', LEVEL.admin);
  grant(['plant-view', 'alarm']);
  localStorage.setItem('menuCode', '["plant-view"]');
  grant(['plant-view']);
  expect(globalState.get().menuCode).toEqual(['plant-view']);
});

test('what the session may open stays the same list while nothing has changed', () => {
  startSession('a', LEVEL.admin);
  grant(['plant-view']);
  const { menuCode } = globalState.get();
  grant(['plant-view']);
  expect(globalState.get().menuCode).toBe(menuCode);
});

describe('what a browser tab holds', () => {
  beforeEach(() => {
    startSession('a', LEVEL.admin);
    sessionStorage.setItem('tabs', 'of a');
  });

  test('outlives its page', () => {
    dropDataOfOthers();
    expect(sessionStorage.getItem('tabs')).toBe('of a');
  });

  test('stays where another window has signed the same account in anew', () => {
    keepLoginInfo({ username: 'a', email: '', phone: '' });
    localStorage.setItem('token', 'a-later');
    dropDataOfOthers();
    expect(sessionStorage.getItem('tabs')).toBe('of a');
    localStorage.setItem('token', 'b');
    localStorage.setItem('loginInfo', JSON.stringify({ username: 'b', email: '', phone: '' }));
    dropDataOfOthers();
    expect(sessionStorage.getItem('tabs')).toBe(null);
  });

  test('is gone once another window has signed somebody else in', () => {
    localStorage.setItem('token', 'b');
    dropDataOfOthers();
    expect(storedHere()).toEqual({ heldFor: '"b"' });
  });

  test('stays while a read-only view is shown', () => {
    sessionStorage.setItem('view:token', 'view');
    dropDataOfOthers();
    expect(sessionStorage.getItem('tabs')).toBe('of a');
  });

  test('before anybody signs in, outlives its page as well', () => {
    endSession();
    sessionStorage.setItem('drafts', 'of a sign-up');
    dropDataOfOthers();
    expect(storedHere()).toEqual({ drafts: 'of a sign-up' });
  });
});
