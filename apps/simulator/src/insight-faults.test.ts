import { describe, expect, test } from 'vitest';
import { Block, faultCases, isRight } from './testing/fault-cases.ts';

/** A few runs of each; the table of fifty is in `insight-faults.long.test.ts`. */
const SEEDS = [1, 2];

describe('the reason that a plant is given first', () => {
  const blocks = SEEDS.map((seed) => ({ summer: new Block(seed, undefined), winter: new Block(seed, 'winter') }));

  test.each(faultCases.map((each) => [each.name, each] as const))('is right for %s', (_name, each) => {
    for (const { summer, winter } of blocks) {
      const { week, trueWh } = (each.season === 'winter' ? winter : summer).run(each);
      expect(isRight(each, week.loss, trueWh), JSON.stringify(week.loss.reasons)).toBe(true);
    }
  });

  test('is none for plants that are well', () => {
    for (const { summer } of blocks) {
      expect(summer.healthyWeeks(2).flatMap(({ loss }) => loss.reasons)).toEqual([]);
    }
  });
});
