import { info } from '@sonnenwarte/contract/accounts/own-account';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { preferences } from '@sonnenwarte/contract/user-center/user-center';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient, read } from '../client/queries.ts';
import { startSession } from '../state/session.ts';
import { memoryStorage } from '../testing/memory-storage.ts';
import { savePreferences } from './preferences.ts';

const account = read(info, {});
/** Running calls by path: how to answer each. */
const calls: { path: string; answer: (result: unknown) => void }[] = [];
const runningCalls = (path: string) => calls.filter((each) => each.path === path);
let stop: () => void;

beforeEach(async () => {
  calls.length = 0;
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('sessionStorage', memoryStorage());
  vi.stubGlobal(
    'fetch',
    (path: string, { signal }: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        const answer = (result: unknown) => resolve(new Response(JSON.stringify({ errno: 0, msg: '', result })));
        calls.push({ path, answer });
      }),
  );
  startSession('t', LEVEL.admin);
  stop = new QueryObserver(queryClient, account).subscribe(() => undefined);
  runningCalls(info.path)[0]?.answer({ units: 'metric', theme: 'auto' });
  await vi.waitFor(() => expect(queryClient.getQueryData(account.queryKey)).toBeDefined());
  calls.length = 0;
});
afterEach(() => {
  stop();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('a choice is not undone by an answer that was under way when it was made', async () => {
  void queryClient.invalidateQueries({ queryKey: account.queryKey });
  await vi.waitFor(() => expect(runningCalls(info.path)).toHaveLength(1));
  const saved = savePreferences({ units: 'imperial' });
  await vi.waitFor(() => expect(runningCalls(preferences.path)).toHaveLength(1));
  runningCalls(info.path)[0]?.answer({ units: 'metric', theme: 'auto' });
  await new Promise((resolve) => setTimeout(resolve));
  expect(queryClient.getQueryData(account.queryKey)).toEqual({ units: 'imperial', theme: 'auto' });
  runningCalls(preferences.path)[0]?.answer({});
  await vi.waitFor(() => expect(runningCalls(info.path)).toHaveLength(2));
  runningCalls(info.path)[1]?.answer({ units: 'imperial', theme: 'auto' });
  await saved;
});

test('the account is read again when the last of several choices is saved, and not before', async () => {
  void savePreferences({ units: 'imperial' });
  const last = savePreferences({ theme: 'dark' });
  await vi.waitFor(() => expect(runningCalls(preferences.path)).toHaveLength(2));
  runningCalls(preferences.path)[0]?.answer({});
  await new Promise((resolve) => setTimeout(resolve));
  expect(runningCalls(info.path)).toHaveLength(0);
  runningCalls(preferences.path)[1]?.answer({});
  await vi.waitFor(() => expect(runningCalls(info.path)).toHaveLength(1));
  runningCalls(info.path)[0]?.answer({ units: 'imperial', theme: 'dark' });
  await last;
  expect(queryClient.getQueryData(account.queryKey)).toEqual({ units: 'imperial', theme: 'dark' });
});
