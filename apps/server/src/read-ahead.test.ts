import { expect, test } from 'vitest';
import { readAhead } from './read-ahead.ts';

/** Numbers from 1 on, each of them noted when it is asked for, up to one at which it fails. */
function numbers(most: number, failing = Number.NaN) {
  const asked: number[] = [];
  let isLeft = false;
  async function* source() {
    try {
      for (let number = 1; number <= most; number += 1) {
        asked.push(number);
        if (number === failing) throw new Error('away');
        yield number;
      }
    } finally {
      isLeft = true;
    }
  }
  return { asked, source: source(), left: () => isLeft };
}

test('the next is asked for before the one before has been worked on, and no more', async () => {
  const { asked, source } = numbers(4);
  const seen: number[][] = [];
  for await (const _ of readAhead(source)) seen.push([...asked]);
  expect(seen).toEqual([
    [1, 2],
    [1, 2, 3],
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ]);
});

test('what goes wrong ahead is told after what came before it', async () => {
  const { source } = numbers(4, 3);
  const told: number[] = [];
  const reading = (async () => {
    for await (const number of readAhead(source)) told.push(number);
  })();
  await expect(reading).rejects.toThrow('away');
  expect(told).toEqual([1, 2]);
});

test('a source is left with whoever reads it, and nobody hears of what it would have said', async () => {
  const { source, left } = numbers(4, 2);
  for await (const _ of readAhead(source)) break;
  expect(left()).toBe(true);
});
