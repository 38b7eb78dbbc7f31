import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { heardAtMs, isLost, noteHeard, noteLost, noteUnanswered } from './line.ts';
import { answers, untilAnswered } from './server-answer.ts';

vi.mock('./server-answer.ts', () => ({ answers: vi.fn(), untilAnswered: vi.fn() }));

let answer: () => void = () => undefined;
beforeEach(() => {
  vi.mocked(untilAnswered).mockImplementation(() => new Promise((resolve) => (answer = resolve)));
});
afterEach(noteHeard);

test('a call without an answer is the server’s silence only where the server does not answer for itself either', async () => {
  vi.mocked(answers).mockResolvedValue(true);
  await noteUnanswered();
  expect(isLost()).toBe(false);
  vi.mocked(answers).mockResolvedValue(false);
  await noteUnanswered();
  expect(isLost()).toBe(true);
});

test('the line is asked after until the server answers, and whatever answers earlier ends it as well', async () => {
  noteLost();
  expect(isLost()).toBe(true);
  answer();
  await vi.waitFor(() => expect(isLost()).toBe(false));
  noteLost();
  noteHeard();
  expect(isLost()).toBe(false);
});

test('what is shown is as old as the last answer before the line was lost', () => {
  vi.useFakeTimers({ now: 1_000_000 });
  noteHeard();
  vi.setSystemTime(1_060_000);
  noteLost();
  expect(heardAtMs()).toBe(1_000_000);
  vi.useRealTimers();
});
