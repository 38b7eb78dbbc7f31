import { afterEach, expect, test, vi } from 'vitest';
import { learnServerTime, serverNowMs } from './clock.ts';

afterEach(() => {
  learnServerTime(String(Date.now()), Date.now(), Date.now());
  vi.useRealTimers();
});

test.each([0, 1, 3, 8])('the time of the server is a whole number of ms after an answer that took %d ms', (tookMs) => {
  vi.useFakeTimers({ now: 1_000_000 });
  learnServerTime('1005000', 1_000_000, 1_000_000 + tookMs);
  expect(Number.isInteger(serverNowMs())).toBe(true);
  expect(Math.abs(serverNowMs() - (1_005_000 - tookMs / 2))).toBeLessThanOrEqual(0.5);
});

test.each([null, '', 'soon', '-5'])('the header %j teaches nothing', (header) => {
  vi.useFakeTimers({ now: 1_000_000 });
  learnServerTime('1005000', 1_000_000, 1_000_000);
  learnServerTime(header, 1_000_000, 1_000_000);
  expect(serverNowMs()).toBe(1_005_000);
});
