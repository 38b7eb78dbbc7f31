import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SetAside } from './set-aside.ts';

const AWAY = new Error('the store is away');

function over(bad: ReadonlySet<number>) {
  const rested: number[] = [];
  const pausesMs: number[] = [];
  let works = 0;
  const aside = new SetAside<number>({
    isOfAll: (error) => error === AWAY,
    resting(one, _, pauseMs) {
      rested.push(one);
      pausesMs.push(pauseMs);
    },
  });
  const work = async (part: readonly number[]): Promise<void> => {
    works += 1;
    const culprit = part.find((one) => bad.has(one));
    if (culprit !== undefined) throw new Error(`${culprit} cannot be done`);
  };
  return { aside, work, rested, pausesMs, works: () => works };
}

test('all are done but those that cannot be, whichever they are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(300), { maxLength: 60 }),
      fc.integer({ min: 0, max: 3 }),
      async (list, some) => {
        const bad = new Set(list.slice(0, some));
        const { aside, work, rested } = over(bad);
        const done = await aside.each(
          list.toSorted((a, b) => a - b),
          0,
          work,
        );
        expect(new Set(done)).toEqual(new Set(list.filter((one) => !bad.has(one))));
        expect(done).toHaveLength(list.length - bad.size);
        expect(new Set(rested)).toEqual(bad);
        expect(aside.size).toBe(bad.size);
      },
    ),
    { numRuns: 60 },
  );
});

test('one of a thousand is found in a few attempts, and tried alone from then on', async () => {
  const list = Array.from({ length: 1_000 }, (_, at) => at);
  const { aside, work, works } = over(new Set([617]));
  await aside.each(list, 0, work);
  expect(works()).toBeLessThan(25);
  const before = works();
  await aside.each(list, 60_000, work);
  expect(works() - before).toBe(2);
});

test('who fails again rests longer each time, up to ten minutes, and no more once it is done', async () => {
  const bad = new Set([1]);
  const { aside, work, pausesMs } = over(bad);
  let nowMs = 0;
  for (let time = 0; time < 10; time += 1) {
    expect(aside.isResting(1, nowMs)).toBe(false);
    await aside.each([1], nowMs, work);
    const pauseMs = pausesMs.at(-1) ?? 0;
    expect(aside.isResting(1, nowMs + pauseMs - 1)).toBe(true);
    nowMs += pauseMs;
  }
  expect(pausesMs.slice(0, 3)).toEqual([5_000, 10_000, 20_000]);
  expect(pausesMs.at(-1)).toBe(600_000);
  bad.clear();
  expect(await aside.each([1], nowMs, work)).toEqual([1]);
  aside.forget(1);
  expect([aside.size, aside.isResting(1, nowMs)]).toEqual([0, false]);
});

test('where a store is away nobody is set aside and nothing is tried twice', async () => {
  const { aside, rested } = over(new Set());
  let works = 0;
  const away = async () => {
    works += 1;
    throw AWAY;
  };
  await expect(aside.each([1, 2, 3, 4], 0, away)).rejects.toBe(AWAY);
  expect([works, rested]).toEqual([1, []]);
});

test('where everything fails, not each is tried by itself', async () => {
  const list = Array.from({ length: 5_000 }, (_, at) => at);
  const { aside, work, works } = over(new Set(list));
  await expect(aside.each(list, 0, work)).rejects.toThrow('cannot be done');
  expect(works()).toBeLessThan(50);
});
