import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { retryNow, watchChunkFailures } from '../client/chunk-failure.ts';
import { memoryStorage } from '../testing/memory-storage.ts';
import { ScreenBoundary } from './screen-boundary.tsx';

const reload = vi.fn();
const ask = vi.fn<() => Promise<{ ok: boolean }>>();
const page = new EventTarget();

beforeEach(() => {
  reload.mockReset();
  vi.stubGlobal('sessionStorage', memoryStorage({ reloadedAtMs: String(Date.now()) }));
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('fetch', ask);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  watchChunkFailures();
});
afterEach(() => vi.unstubAllGlobals());

function failedWith(error: Error): ScreenBoundary {
  const boundary = new ScreenBoundary({ children: 'screen' });
  boundary.state = ScreenBoundary.getDerivedStateFromError(error);
  boundary.setState = (state) => Object.assign(boundary.state, state);
  return boundary;
}

test('a screen that failed is shown anew on retry, one whose code did not come says so and waits', () => {
  const failure = new TypeError('Failed to fetch dynamically imported module');
  page.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: failure }));
  const missing = failedWith(failure).render() as ReactElement<{ retry?: () => void }>;
  expect(missing.props.retry).toBeUndefined();
  const other = failedWith(new Error('of the screen'));
  (other.render() as ReactElement<{ retry: () => void }>).props.retry();
  expect(other.render()).toBe('screen');
});

test('retrying loads the page anew where the server answers, and only there', async () => {
  ask.mockRejectedValueOnce(new TypeError('offline'));
  await retryNow();
  expect(reload).not.toHaveBeenCalled();
  ask.mockResolvedValueOnce({ ok: true });
  await retryNow();
  expect(reload).toHaveBeenCalledTimes(1);
});
