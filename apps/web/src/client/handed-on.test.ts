import { list } from '@sonnenwarte/contract/sites/sites';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handOn, takeHanded } from './handed-on.ts';

const answer = (text: string) => Promise.resolve(text);

beforeEach(() => vi.useFakeTimers());
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
