import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pauseMs, untilAnswered } from './server-answer.ts';

const page = new EventTarget();
const ask = vi.fn<() => Promise<{ ok: boolean }>>();

beforeEach(() => {
  vi.useFakeTimers();
  ask.mockReset();
  vi.stubGlobal('fetch', ask);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the pauses are 1, 2, 4, 8 and 16 s, then half a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 20].map(pauseMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('a server that is away or unwell is asked again, until it says that it is well', async () => {
  ask
    .mockRejectedValueOnce(new TypeError('offline'))
    .mockResolvedValueOnce({ ok: false })
    .mockResolvedValue({ ok: true });
  const answered = vi.fn();
  void untilAnswered().then(answered);
  await vi.advanceTimersByTimeAsync(1_000 + 2_000);
  expect([ask.mock.calls.length, answered.mock.calls.length]).toEqual([2, 0]);
  await vi.advanceTimersByTimeAsync(4_000);
  expect([ask.mock.calls.length, answered.mock.calls.length]).toEqual([3, 1]);
});

test('where the browser finds its network again, the server is asked at once', async () => {
  ask.mockRejectedValueOnce(new TypeError('offline')).mockResolvedValue({ ok: true });
  const answered = vi.fn();
  void untilAnswered().then(answered);
  await vi.advanceTimersByTimeAsync(1_000);
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(answered).toHaveBeenCalledTimes(1);
});
