import { afterEach, expect, test, vi } from 'vitest';
import { followCodes } from './use-link-code.ts';

afterEach(() => vi.unstubAllGlobals());

test('a new link that is pasted into the page of an old one counts', () => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const tell = vi.fn();
  const stop = followCodes(tell);
  vi.stubGlobal('location', { hash: '#code=second' });
  page.dispatchEvent(new Event('hashchange'));
  expect(tell.mock.calls).toEqual([['second']]);
  stop();
  page.dispatchEvent(new Event('hashchange'));
  expect(tell).toHaveBeenCalledTimes(1);
});
