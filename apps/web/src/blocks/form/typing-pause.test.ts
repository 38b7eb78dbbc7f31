import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTypingPause, typedOr } from './typing-pause.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a search field', () => {
  test('keeps the space of a word that is still being typed', () => {
    expect(typedOr('solar ', 'solar')).toBe('solar ');
    expect(typedOr(' ', '')).toBe(' ');
  });

  test('follows an address that says something else', () => {
    expect(typedOr('solar ', 'wind')).toBe('wind');
    expect(typedOr('solar', '')).toBe('');
  });

  test('searches once, for the last text, when typing pauses', () => {
    const found: string[] = [];
    const pause = createTypingPause();
    for (const text of ['s', 'so', 'sol']) {
      pause.wait(() => found.push(text));
      vi.advanceTimersByTime(299);
    }
    expect(found).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(found).toEqual(['sol']);
  });

  test('searches at once when it is left, and not again after the pause', () => {
    const work = vi.fn();
    const pause = createTypingPause();
    pause.wait(work);
    pause.hurry();
    expect(work).toHaveBeenCalledTimes(1);
    vi.runAllTimers();
    pause.hurry();
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('does not bring a text back once the filters were cleared', () => {
    const work = vi.fn();
    const pause = createTypingPause();
    pause.wait(work);
    expect(pause.drop()).toBe(true);
    vi.runAllTimers();
    expect(work).not.toHaveBeenCalled();
    expect(pause.drop()).toBe(false);
  });
});
