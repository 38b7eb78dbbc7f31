import { LEVEL } from '@sonnenwarte/contract/levels';
import { list } from '@sonnenwarte/contract/sites/sites';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '../state/session.ts';
import { memoryStorage } from '../testing/memory-storage.ts';
import { handOn } from './handed-on.ts';
import { takeArrived, takeHanded } from './take-handed.ts';

const answer = (text: string) => Promise.resolve(text);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('sessionStorage', memoryStorage());
});
afterEach(() => vi.useRealTimers());

test('an answer that was asked for early is taken once, by who asks the same with the defaults spelled out', async () => {
  handOn(list.path, { pageSize: 50 }, answer('of fifty'));
  handOn(list.path, {}, answer('of the first page'));
  expect(takeHanded(list, { pageSize: 20 })).toBeUndefined();
  const { data } = list.input.safeParse({});
  expect(await takeHanded(list, data ?? {})).toBe('of the first page');
  expect(takeHanded(list, {})).toBeUndefined();
  expect(await takeHanded(list, { pageSize: 50 })).toBe('of fifty');
});

test('an answer that nobody took in time is asked for again', () => {
  handOn(list.path, {}, answer('old'));
  vi.advanceTimersByTime(60_000);
  expect(takeHanded(list, {})).toBeUndefined();
});

test('an answer that has arrived is taken without waiting, once; one that is still on its way is not', async () => {
  const late = Promise.withResolvers<string>();
  handOn(list.path, { pageSize: 50 }, late.promise);
  handOn(list.path, {}, answer('of the first page'));
  await vi.advanceTimersByTimeAsync(0);
  expect(takeArrived(list, { pageSize: 50 })).toBeUndefined();
  expect(takeArrived(list, {})).toBe('of the first page');
  expect(takeArrived(list, {})).toBeUndefined();
  late.resolve('of fifty');
  expect(await takeHanded(list, { pageSize: 50 })).toBe('of fifty');
});

test('what was asked for in one session is not taken in another', async () => {
  handOn(list.path, {}, answer('of the session before'));
  await vi.advanceTimersByTimeAsync(0);
  startSession('another', LEVEL.installer);
  expect(takeArrived(list, {})).toBeUndefined();
  expect(takeHanded(list, {})).toBeUndefined();
});
