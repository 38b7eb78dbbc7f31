import { errno } from '@sonnenwarte/contract/errors';
import { describe, expect, test } from 'vitest';
import { HashQueue } from './hash-queue.ts';
import { KeyedGate } from './keyed-gate.ts';

/** Work that ends when it is told to. */
function heldWork() {
  const begun: number[] = [];
  const held: (() => void)[] = [];
  return {
    begun,
    work: (at: number) => async () => {
      begun.push(at);
      await new Promise<void>((end) => held.push(end));
      return at;
    },
    release: () => held.shift()?.(),
  };
}

describe('the queue of hashing', () => {
  test('begins in the order of coming, never more at once than allowed, and gives every answer to whom it belongs', async () => {
    const queue = new HashQueue({ concurrency: 2, longestWaitMs: 1e9 });
    const { begun, work, release } = heldWork();
    const answers = Array.from({ length: 6 }, (_, at) => queue.run(work(at)));
    expect(begun).toEqual([0, 1]);
    for (let done = 0; done < 6; done += 1) {
      release();
      await answers[done];
      expect(begun).toEqual([0, 1, 2, 3, 4, 5].slice(0, Math.min(6, done + 3)));
    }
    expect(await Promise.all(answers)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('refuses at once, with the time to wait, what could not be begun in time, and takes work again when it can', async () => {
    const queue = new HashQueue({ concurrency: 1, longestWaitMs: 100 });
    const { work, release } = heldWork();
    const taken = [queue.run(work(0)), queue.run(work(1)), queue.run(work(2))];
    await expect(queue.run(work(3))).rejects.toMatchObject({
      errno: errno.tryLater,
      result: { retryAfterMs: expect.any(Number) },
    });
    expect(() => queue.assertRoom()).toThrow();
    for (const each of taken) {
      release();
      await each;
    }
    expect(queue.waitMsBehind()).toBe(0);
    const again = queue.run(work(4));
    release();
    expect(await again).toBe(4);
  });

  test('has no room either behind work that is still on its way to it', async () => {
    const queue = new HashQueue({ concurrency: 1, longestWaitMs: 100 });
    expect(() => queue.assertRoom(2)).not.toThrow();
    expect(() => queue.assertRoom(3)).toThrow();
    expect(queue.waitMsBehind(3)).toBeGreaterThan(100);
  });

  test('goes on after work that fails', async () => {
    const queue = new HashQueue({ concurrency: 1, longestWaitMs: 1e9 });
    const failing = queue.run(() => Promise.reject(new Error('no')));
    const next = queue.run(async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});

test('a gate holds back the same key only, and lets the next one in its turn', async () => {
  const gate = new KeyedGate(1);
  const { begun, work, release } = heldWork();
  const first = gate.run('a', work(0));
  const second = gate.run('a', work(1));
  const other = gate.run('b', work(2));
  expect(begun).toEqual([0, 2]);
  release();
  expect(await first).toBe(0);
  await Promise.resolve();
  expect(begun).toEqual([0, 2, 1]);
  release();
  release();
  expect(await Promise.all([second, other])).toEqual([1, 2]);
});

test('a gate refuses what would wait behind too many of the same key, and nothing of another', async () => {
  const gate = new KeyedGate(1, 1);
  const { work, release } = heldWork();
  const taken = [gate.run('a', work(0)), gate.run('a', work(1))];
  await expect(gate.run('a', work(2))).rejects.toMatchObject({ errno: errno.tryLater });
  const other = gate.run('b', work(3));
  for (const each of taken) {
    release();
    release();
    await each;
  }
  expect(await other).toBe(3);
});
