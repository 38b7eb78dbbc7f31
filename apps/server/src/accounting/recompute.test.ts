import { expect, test } from 'vitest';
import { reachOf } from './recompute.ts';

const HOUR_MS = 3_600_000;
const hours = (...each: number[]): number[] => each.map((hour) => hour * HOUR_MS);

test.each([
  ['no joint is near', [1, 99], [48, 49], [48, 49]],
  ['a counter started anew within the day before: from there to a day behind it', [30], [48, 49], [30, 54]],
  ['a counter starts anew within the day behind', [60], [48, 49], [48, 84]],
  ['each joint reaches to the next', [10, 30, 60], [48, 49], [10, 84]],
] as const)(
  'a stretch that is accounted anew reaches as far as joints of counters matter: %s',
  (_, joints, from, to) => {
    const [fromMs = 0, toMs = 0] = hours(...from);
    expect(reachOf(fromMs, toMs, hours(...joints))).toEqual(hours(...to));
  },
);
