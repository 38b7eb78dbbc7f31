import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  answered,
  clockFrom,
  clockIn,
  dueHours,
  dueOf,
  type OrderClock,
  orderCategories,
  running,
  stopped,
} from './due-times.ts';
import { isOpen, moved, moves, type OrderState, orderMoves, orderStates } from './order-states.ts';

const START_MS = Date.UTC(2026, 5, 16);
const HOUR_MS = 3_600_000;
const category = fc.constantFrom(...orderCategories);
const pause = fc.integer({ min: 0, max: 40 * HOUR_MS });

test('a first answer is due before the solution, and what is urgent before what is not', () => {
  for (const each of orderCategories) {
    const { normal, urgent } = dueHours[each];
    expect(normal.answer).toBeLessThan(normal.solution);
    expect(urgent.answer).toBeLessThan(urgent.solution);
    expect(urgent.answer).toBeLessThanOrEqual(normal.answer);
    expect(urgent.solution).toBeLessThanOrEqual(normal.solution);
  }
});

test('however often the clock stops, what is due moves by exactly the time that it stood', () => {
  fc.assert(
    fc.property(category, fc.boolean(), fc.array(fc.tuple(pause, pause), { maxLength: 12 }), (of, isUrgent, spans) => {
      const first = clockFrom(of, isUrgent, START_MS);
      let clock: OrderClock = first;
      let nowMs = START_MS;
      let stoodMs = 0;
      let ranMs = 0;
      for (const [runs, stands] of spans) {
        nowMs += runs;
        ranMs += runs;
        const before = dueOf(clock, nowMs);
        clock = stopped(clock, nowMs);
        expect(dueOf(clock, nowMs + stands)).toEqual({ ...before, isStill: true });
        nowMs += stands;
        stoodMs += stands;
        clock = running(clock, nowMs);
        expect(dueOf(clock, nowMs).leftMs).toBe(before.leftMs);
      }
      expect(clock.stillMs).toBe(stoodMs);
      expect(clock.solutionDueMs - first.solutionDueMs).toBe(stoodMs);
      expect(clock.answerDueMs - first.answerDueMs).toBe(stoodMs);
      expect(dueOf(clock, nowMs).isLate).toBe(ranMs > first.answerDueMs - START_MS);
    }),
  );
});

test('a first answer counts once, and its due time is what it was when it was given', () => {
  fc.assert(
    fc.property(category, pause, pause, pause, (of, after, stands, later) => {
      const clock = answered(clockFrom(of, false, START_MS), START_MS + after);
      const again = answered(
        running(stopped(clock, START_MS + after), START_MS + after + stands),
        START_MS + after + stands + later,
      );
      expect(again.answeredAtMs).toBe(START_MS + after);
      expect(again.answerDueMs).toBe(clock.answerDueMs);
      expect(dueOf(again, START_MS).what).toBe('solution');
    }),
  );
});

test('moves lead from state to state as the table says, and from each of them to an end and back', () => {
  const reached = (from: OrderState): Set<OrderState> => {
    const seen = new Set<OrderState>([from]);
    for (const state of seen) for (const move of orderMoves) seen.add(moved(state, move) ?? state);
    return seen;
  };
  for (const state of orderStates) {
    expect(reached(state)).toContain('closed');
    expect(reached(state)).toContain('processing');
  }
  expect(Object.keys(moves.closed)).toEqual(['reopen']);
  expect(reached('processing')).not.toContain('turnedOn');
});

test('whatever happens, the clock runs exactly while somebody has to do something and no customer is awaited', () => {
  const step = fc.record({ move: fc.constantFrom(...orderMoves), waits: fc.boolean(), afterMs: pause });
  fc.assert(
    fc.property(category, fc.array(step, { maxLength: 20 }), (of, steps) => {
      let state: OrderState = 'turnedOn';
      let clock = clockFrom(of, false, START_MS);
      let nowMs = START_MS;
      for (const { move, waits, afterMs } of steps) {
        nowMs += afterMs;
        state = moved(state, move) ?? state;
        const isWaiting = waits && isOpen(state);
        clock = clockIn(clock, state, isWaiting, nowMs);
        expect(clock.stillSinceMs === null).toBe(isOpen(state) && !isWaiting);
        expect(clock.stillMs).toBeLessThanOrEqual(nowMs - START_MS);
      }
    }),
  );
});
