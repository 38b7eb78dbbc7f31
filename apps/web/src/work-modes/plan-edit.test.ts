import { MOST_PERIODS, overlapping, type PlanPeriod, planPeriods } from '@sonnenwarte/contract/work-modes/plan';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  edgeTo,
  freeDays,
  freeTime,
  minuteOf,
  movedTo,
  periodProblem,
  roomOf,
  withAction,
  withPower,
} from './plan-edit.ts';

const at = (startMin: number, endMin: number, days = 127): PlanPeriod => ({
  startMin,
  endMin,
  days,
  action: 'gridCharge',
  powerW: 2_000,
  minSoc: 20,
  fdSoc: 80,
});
const three = [at(120, 240), at(300, 360), at(600, 900)];

test('a period stops at its neighbours, and is never shorter than half an hour', () => {
  expect(movedTo(three, 1, 0)[1]).toMatchObject({ startMin: 240, endMin: 300 });
  expect(movedTo(three, 1, 800)[1]).toMatchObject({ startMin: 540, endMin: 600 });
  expect(edgeTo(three, 1, 'endMin', 310)[1]).toMatchObject({ startMin: 300, endMin: 330 });
  expect(edgeTo(three, 2, 'startMin', 0)[2]).toMatchObject({ startMin: 360, endMin: 900 });
  expect(edgeTo(three, 2, 'endMin', 2_000)[2]).toMatchObject({ endMin: 1_440 });
});

test('a neighbour on other weekdays is none', () => {
  expect(roomOf([at(120, 240, 0b0011111), at(300, 360, 0b1100000)], 1)).toEqual({ fromMin: 0, toMin: 1_440 });
});

test('whatever is dragged and wherever to: nothing overlaps and all of it can be written', () => {
  const step = fc.record({
    place: fc.integer({ min: 0, max: 2 }),
    edge: fc.constantFrom('startMin', 'endMin', 'whole', 'power'),
    to: fc.integer({ min: -500, max: 2_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const end = steps.reduce<PlanPeriod[]>((periods, { place, edge, to }) => {
        if (edge === 'whole') return movedTo(periods, place, to);
        return edge === 'power' ? withPower(periods, place, to) : edgeTo(periods, place, edge, to);
      }, three);
      expect(overlapping(end)).toEqual([]);
      expect(planPeriods.safeParse(end).success).toBe(true);
    }),
  );
});

test('a new period takes free time, on the weekdays on which it is free', () => {
  const periods = [at(0, 600, 1), at(660, 1_440, 1)];
  const free = freeTime(periods, 0);
  expect(free).toEqual({ startMin: 600, endMin: 660 });
  expect(freeDays([at(0, 600, 2)], { startMin: 500, endMin: 560 }, 0)).toBe(0b1111101);
  expect(freeTime([at(0, 1_440)], 3)).toBeNull();
  expect(
    freeTime(
      Array.from({ length: MOST_PERIODS }, (_, place) => at(place * 60, place * 60 + 30)),
      0,
    ),
  ).toBeNull();
});

test('what is wrong with a period is told: too short, over another, below the minimum', () => {
  expect(periodProblem([at(0, 20)], 0, { minSoc: 10 })).toBe('tooShort');
  expect(periodProblem([at(0, 60), at(30, 90)], 0, { minSoc: 10 })).toBe('overlaps');
  expect(periodProblem([at(0, 60)], 0, { minSoc: 90 })).toBe('belowMin');
  expect(periodProblem([{ ...at(0, 60), minSoc: 90 }], 0, { minSoc: 10 })).toBe('fdSoc');
  expect(periodProblem([withAction(at(0, 60), 'hold', { minSoc: 90 })], 0, { minSoc: 90 })).toBeNull();
});

test('times are typed with or without a sign between, up to midnight', () => {
  expect(['7:30', '0730', '24:00', '24:15', '7:75', 'x'].map(minuteOf)).toEqual([
    450,
    450,
    1_440,
    undefined,
    undefined,
    undefined,
  ]);
});
