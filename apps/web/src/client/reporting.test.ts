import { LEVEL } from '@sonnenwarte/contract/levels';
import { live } from '@sonnenwarte/contract/sites/sites';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endSession, startSession } from '../state/session.ts';
import { memoryStorage } from '../testing/memory-storage.ts';
import { call } from './call.ts';
import { failureTextNow } from './failure-text.ts';
import { ApiError } from './failures.ts';
import { connectOutlets, report } from './reporting.ts';

const show = vi.fn();
const go = vi.fn();
const ended = () => new ApiError(41_810, 'ended', null);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('sessionStorage', memoryStorage());
  connectOutlets({ show, go, textOf: failureTextNow });
  startSession('a', LEVEL.admin);
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

test.each([41_808, 41_809, 41_810])(
  'a late answer %i of an ended session neither speaks nor leads anywhere',
  async (errno) => {
    let answer: (response: Response) => void = () => undefined;
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
    const late = call(live, { stationID: 'x' });
    startSession('b', LEVEL.endUser);
    answer(new Response(JSON.stringify({ errno, msg: 'x', result: null })));
    await expect(late).rejects.toBeInstanceOf(ApiError);
    await vi.runAllTimersAsync();
    expect([show.mock.calls, go.mock.calls]).toEqual([[], []]);
  },
);

test('who signs in within the two seconds of the message stays', async () => {
  await report(ended());
  endSession();
  startSession('b', LEVEL.endUser);
  await vi.runAllTimersAsync();
  expect(go).not.toHaveBeenCalled();
});

test('the end of the new session is told though that of the one before was told just now', async () => {
  await report(ended());
  startSession('b', LEVEL.endUser);
  await report(ended());
  await vi.runAllTimersAsync();
  expect(go.mock.calls).toEqual([['/login']]);
});

test('several answers that end one session lead to the sign-in page once', async () => {
  await Promise.all([report(ended()), report(ended()), report(ended())]);
  await vi.runAllTimersAsync();
  expect(go.mock.calls).toEqual([['/login']]);
});
