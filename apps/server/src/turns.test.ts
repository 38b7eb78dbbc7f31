import { afterEach, expect, test, vi } from 'vitest';
import { inSlices } from './in-slices.ts';
import { TurnQueue } from './turns.ts';

afterEach(() => void vi.restoreAllMocks());

/** Counts the turns that others have until told to stop. */
function others(): { readonly turns: () => number; end(): void } {
  let turns = 0;
  let next: NodeJS.Immediate;
  const again = () => {
    turns += 1;
    next = setImmediate(again);
  };
  next = setImmediate(again);
  return { turns: () => turns, end: () => clearImmediate(next) };
}

test('of a long list each is worked in its order, and others have their turns in between', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const other = others();
  const done: number[] = [];
  const list = Array.from({ length: 1_000 }, (_, place) => place);
  await inSlices(list, (each) => {
    done.push(each);
    nowMs += 1;
  });
  expect(done).toEqual(list);
  expect(other.turns()).toBeGreaterThanOrEqual(10);
  other.end();
});

test('what takes no time is not interrupted', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const other = others();
  await inSlices(Array.from({ length: 1_000 }), () => undefined);
  expect(other.turns()).toBe(0);
  other.end();
});

test('of works that come at once only so many are done in a turn; each is done, in its order, also one that comes meanwhile', async () => {
  const queue = new TurnQueue(50);
  const other = others();
  const done: { work: number; turn: number }[] = [];
  await new Promise<void>((resolve) => {
    const work = (n: number) => () => void done.push({ work: n, turn: other.turns() });
    for (let n = 0; n < 500; n += 1) queue.add(work(n));
    queue.add(() => queue.add(resolve));
  });
  other.end();
  expect(done.map((each) => each.work)).toEqual(Array.from({ length: 500 }, (_, n) => n));
  const inATurn = [...Map.groupBy(done, ({ turn }) => turn).values()].map((each) => each.length);
  expect(Math.max(...inATurn)).toBe(50);
});
