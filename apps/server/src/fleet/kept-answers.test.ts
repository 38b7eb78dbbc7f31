import { describe, expect, test } from 'vitest';
import { keptAnswers } from './kept-answers.ts';

/** Work that ends when it is told to, and how often it was begun. */
function works() {
  const begun: string[] = [];
  const ends: ((value: string) => void)[] = [];
  return {
    begun,
    end: (value: string) => ends.shift()?.(value),
    of: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(resolve));
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('answers that cost much', () => {
  test('are worked out once for all who ask meanwhile, and one after another', async () => {
    const work = works();
    const kept = keptAnswers<string>({ nowMs: () => 0 });
    const first = [kept('a', work.of('a')), kept('a', work.of('a'))];
    const second = kept('b', work.of('b'));
    await settled();
    expect(work.begun).toEqual(['a']);
    work.end('A');
    expect(await Promise.all(first)).toEqual(['A', 'A']);
    await settled();
    expect(work.begun).toEqual(['a', 'b']);
    work.end('B');
    expect(await second).toBe('B');
  });

  test('are kept for the least time and then worked out anew', async () => {
    let nowMs = 0;
    let count = 0;
    const kept = keptAnswers<number>({ nowMs: () => nowMs, leastMs: 1_000, times: 0 });
    const ask = () => kept('a', async () => ++count);
    expect(await ask()).toBe(1);
    nowMs = 999;
    expect(await ask()).toBe(1);
    nowMs = 1_000;
    expect(await ask()).toBe(2);
  });

  test('are asked for again after a failure, which holds up nobody', async () => {
    const kept = keptAnswers<string>({ nowMs: () => 0 });
    await expect(kept('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await kept('b', async () => 'B')).toBe('B');
    expect(await kept('a', async () => 'A')).toBe('A');
  });

  test('are let go of where there are more than may be kept', async () => {
    const kept = keptAnswers<string>({ nowMs: () => 0, most: 2 });
    for (const name of ['a', 'b', 'c']) await kept(name, async () => name);
    expect(await kept('c', async () => 'anew')).toBe('c');
    expect(await kept('a', async () => 'anew')).toBe('anew');
  });

  test('are let go of early where they are cheap, and kept where they are dear', async () => {
    let count = 0;
    const kept = keptAnswers<number>({ nowMs: () => 0 });
    const ask = () => kept('a', async () => ++count);
    expect(await ask()).toBe(1);
    kept.forgetCheap(-1);
    expect(await ask()).toBe(1);
    kept.forgetCheap(60_000);
    expect(await ask()).toBe(2);
  });
});
