import { LEVEL } from '@sonnenwarte/contract/levels';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoryStorage } from '../testing/memory-storage.ts';
import type * as keptPlace from './kept-place.ts';
import type * as session from './session.ts';

type Modules = typeof keptPlace & typeof session;

const tabs = { activeId: 'plant-view', list: [] };

/** The modules as a page has them that is loaded anew. */
async function load(): Promise<Modules> {
  vi.resetModules();
  return { ...(await import('./session.ts')), ...(await import('./kept-place.ts')) };
}

beforeEach(() => {
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('sessionStorage', memoryStorage());
  vi.stubGlobal('location', { pathname: '/bus/plant/view', search: '?content=o' });
});
afterEach(() => vi.unstubAllGlobals());

async function signedIn(): Promise<Modules> {
  const page = await load();
  page.startSession('t', LEVEL.installer);
  page.keepLoginInfo({ username: 'Anna', email: 'a@b.de', phone: '' });
  sessionStorage.setItem('tabs', JSON.stringify(tabs));
  return page;
}

test('whose session has ended is back where it was, by user name or address, also after a reload of the sign-in page', async () => {
  for (const name of ['anna', 'A@B.de']) {
    const page = await signedIn();
    page.keepPlace();
    page.endSession();
    expect(sessionStorage.getItem('tabs')).toBeNull();
    const again = await load();
    again.endSession();
    expect(again.keptPlaceOf(name)).toMatchObject({ address: '/bus/plant/view?content=o', tabs });
  }
});

test('it is there once, for nobody else, and not for who signed out', async () => {
  const page = await signedIn();
  page.keepPlace();
  page.endSession();
  expect(page.keptPlaceOf('bert')).toBeUndefined();
  expect(page.keptPlaceOf('anna')).toBeUndefined();
  page.startSession('u', LEVEL.installer);
  expect(Object.keys({ ...sessionStorage })).not.toContain('kept');

  const other = await signedIn();
  other.endSession();
  expect(other.keptPlaceOf('anna')).toBeUndefined();
});
