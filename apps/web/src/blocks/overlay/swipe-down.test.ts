import { expect, test } from 'vitest';
import { closesBy } from './swipe-down.ts';

test.each([
  ['dragged past a third', { downPx: 240, tookMs: 2_000, heightPx: 700 }, true],
  ['dragged less', { downPx: 200, tookMs: 2_000, heightPx: 700 }, false],
  ['flicked', { downPx: 90, tookMs: 100, heightPx: 700 }, true],
  ['touched by a short twitch', { downPx: 20, tookMs: 5, heightPx: 700 }, false],
])('a sheet that is %s', (_, way, closes) => {
  expect(closesBy(way)).toBe(closes);
});
