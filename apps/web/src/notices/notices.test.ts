import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismiss, dismissAll, showNotice, shownNotices } from './notices.ts';

const notice = (id: string) => ({ id, text: id, color: 'red' as const });
const shown = () => shownNotices().map(({ id }) => id);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test('a notice that comes again after it was dismissed is shown for its whole time', () => {
  showNotice(notice('a'));
  vi.advanceTimersByTime(4_000);
  dismiss('a');
  showNotice(notice('a'));
  vi.advanceTimersByTime(4_000);
  expect(shown()).toEqual(['a']);
  vi.advanceTimersByTime(1_000);
  expect(shown()).toEqual([]);
});

test('so is one that comes again after others had taken its place', () => {
  showNotice(notice('a'));
  vi.advanceTimersByTime(4_000);
  for (const id of ['b', 'c', 'd', 'e', 'a']) showNotice(notice(id));
  expect(shown()).toEqual(['c', 'd', 'e', 'a']);
  vi.advanceTimersByTime(4_000);
  expect(shown()).toContain('a');
});

test('a notice that is still shown is not shown twice', () => {
  showNotice(notice('a'));
  showNotice(notice('a'));
  expect(shown()).toEqual(['a']);
});

test('what was said goes at once where something new begins, and may be said again', () => {
  showNotice(notice('a'));
  showNotice(notice('b'));
  dismissAll();
  expect(shown()).toEqual([]);
  showNotice(notice('a'));
  expect(shown()).toEqual(['a']);
});
