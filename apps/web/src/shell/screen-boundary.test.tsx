import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchChunkFailures } from '../client/chunk-failure.ts';
import { memoryStorage } from '../state/memory-storage.ts';
import { ScreenBoundary } from './screen-boundary.tsx';

const reload = vi.fn();
const page = new EventTarget();

beforeEach(() => {
  vi.stubGlobal('sessionStorage', memoryStorage({ reloadedAtMs: String(Date.now()) }));
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  watchChunkFailures();
});
afterEach(() => vi.unstubAllGlobals());

/** Presses Retry on a screen that failed; says whether it is then shown anew. */
function retry(error: Error): boolean {
  const boundary = new ScreenBoundary({ children: 'screen' });
  boundary.state = ScreenBoundary.getDerivedStateFromError(error);
  boundary.setState = (state) => Object.assign(boundary.state, state);
  (boundary.render() as ReactElement<{ retry: () => void }>).props.retry();
  return boundary.render() === 'screen';
}

test('retrying a screen whose code could not be loaded loads the page anew, any other shows the screen anew', () => {
  const failure = new TypeError('Failed to fetch dynamically imported module');
  page.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: failure }));
  expect([retry(failure), reload.mock.calls.length]).toEqual([false, 1]);
  expect([retry(new Error('of the screen')), reload.mock.calls.length]).toEqual([true, 1]);
});
