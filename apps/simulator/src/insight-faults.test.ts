import { describe, expect, test } from 'vitest';
import { Block } from './testing/block.ts';
import { reasonsOfDemo } from './testing/demo-reasons.ts';
import { faultCases, isRight, settingOf, snowy } from './testing/fault-cases.ts';

/** A few runs of each, in summer; the table of fifty over the year is in `insight-faults.long.test.ts`. */
const SEEDS = [1002, 1006];

describe('the reason that a plant is given first', () => {
  const blocks = SEEDS.map((seed) => ({ own: new Block(seed, settingOf(seed)), snowy: new Block(seed, snowy) }));

  test.each(faultCases.map((each) => [each.name, each] as const))('is right for %s', (_name, each) => {
    for (const { own, snowy } of blocks) {
      const { week, trueWh } = (each.setting === undefined ? own : snowy).run(each);
      expect(isRight(each, week.loss, trueWh), JSON.stringify(week.loss.reasons)).toBe(true);
    }
  });

  test('is none for plants that are well, in winter as in summer', () => {
    for (const { own, snowy } of blocks) {
      for (const block of [own, snowy]) {
        expect(block.healthyWeeks(2).flatMap(({ loss }) => loss.reasons)).toEqual([]);
      }
    }
  });

  test('is none for any plant of the demonstration that is well, over the autumn that favours one roof after the other', () => {
    expect(reasonsOfDemo(Date.UTC(2025, 9, 1), 40)).toEqual([]);
  });
});
