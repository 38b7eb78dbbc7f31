import { errorMessages } from '@sonnenwarte/contract/errors/errors';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { live } from '@sonnenwarte/contract/sites/sites';
import { preferences } from '@sonnenwarte/contract/user-center/user-center';
import { MutationObserver, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endSession, startSession } from '../state/session.ts';
import { memoryStorage } from '../testing/memory-storage.ts';
import { failureTextNow } from './failure-text.ts';
import { queryClient, read, writeOptions } from './queries.ts';
import { connectOutlets } from './reporting.ts';

const show = vi.fn();
const go = vi.fn();
const asked = vi.fn();
const answer = (result: unknown = {}) => new Response(JSON.stringify({ errno: 0, msg: '', result }));
const site = read(live, { stationID: 'x' });
const changing = { ...preferences, changes: ['sites'] } as const;

beforeEach(() => {
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('sessionStorage', memoryStorage());
  startSession('t', LEVEL.admin);
});
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

/** A query whose second and later answers never come; `aborted` tells of each that was given up. */
async function shownSite() {
  const aborted = vi.fn();
  let held = false;
  vi.stubGlobal('fetch', (url: string, { signal }: RequestInit) => {
    asked(url);
    if (url !== live.path && !url.startsWith(`${live.path}?`)) return Promise.resolve(answer());
    if (!held) return Promise.resolve(answer());
    return new Promise((_, reject) =>
      signal?.addEventListener('abort', () => {
        aborted();
        reject(signal.reason);
      }),
    );
  });
  const observer = new QueryObserver(queryClient, site);
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true));
  held = true;
  const write = new MutationObserver(queryClient, writeOptions(changing, queryClient));
  return { observer, stop, write, aborted };
}

test('a write is done with its answer, though what it changed is still being read again', async () => {
  const { observer, stop, write } = await shownSite();
  await write.mutate({ units: 'metric' });
  expect(write.getCurrentResult().isSuccess).toBe(true);
  expect(observer.getCurrentResult().fetchStatus).toBe('fetching');
  stop();
});

test('who leaves for the sign-in page after a write is not told of what was being read again', async () => {
  connectOutlets({ show, go, textOf: failureTextNow });
  const { stop, write, aborted } = await shownSite();
  await write.mutate({ units: 'metric' });
  endSession();
  await vi.waitFor(() => expect(aborted).toHaveBeenCalled());
  expect([show.mock.calls, go.mock.calls]).toEqual([[], []]);
  stop();
});

test('without a session only what anybody may read is asked for', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    asked(url);
    return answer({ messages: {} });
  });
  endSession();
  const observer = new QueryObserver(queryClient, site);
  const stop = observer.subscribe(() => undefined);
  await queryClient.fetchQuery(read(errorMessages, {}));
  expect(asked.mock.calls).toEqual([[errorMessages.path]]);
  expect(observer.getCurrentResult()).toMatchObject({ isPending: true, error: null });
  stop();
});
