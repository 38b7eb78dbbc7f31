import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterRunEvent,
  afterUnitEvent,
  isJudged,
  isRunOver,
  isUnitOver,
  type RunState,
  runEvents,
  type UnitState,
  unitEvents,
  unitStates,
} from './moves.ts';
import { stepAt } from './plan.ts';

const unitActs = fc.array(fc.constantFrom(...unitEvents), { maxLength: 30 });
const runActs = fc.array(fc.constantFrom(...runEvents), { maxLength: 20 });

describe('a unit in a run', () => {
  test('keeps its verdict, whatever is told afterwards, twice or in whatever order', () => {
    fc.assert(
      fc.property(unitActs, unitActs, (first, later) => {
        const all = (from: UnitState, acts: typeof first) =>
          acts.reduce<UnitState>((state, event) => afterUnitEvent(state, event) ?? state, from);
        const state = all('waiting', first);
        if (isUnitOver(state)) expect(all(state, later)).toBe(state);
      }),
    );
  });

  test('passes only after something of it was recorded', () => {
    fc.assert(
      fc.property(unitActs, (acts) => {
        let state: UnitState = 'waiting';
        let hasBegun = false;
        for (const event of acts) {
          const next = afterUnitEvent(state, event);
          if (next === 'passed') expect(hasBegun).toBe(true);
          if (next === 'running') hasBegun = true;
          state = next ?? state;
        }
      }),
    );
  });

  test('is over after an end of the run, from whatever state', () => {
    for (const state of unitStates) {
      expect(isUnitOver(afterUnitEvent(state, 'abort') ?? state)).toBe(true);
      expect(isUnitOver(afterUnitEvent(state, 'fail') ?? state)).toBe(true);
      expect(isJudged(state)).toBe(state === 'passed' || state === 'failed');
    }
  });
});

describe('a run', () => {
  test('begins once and ends once', () => {
    fc.assert(
      fc.property(runActs, (acts) => {
        let state: RunState = 'planned';
        const seen: RunState[] = [];
        for (const event of acts) {
          const next = afterRunEvent(state, event);
          if (next === undefined) continue;
          seen.push(next);
          state = next;
        }
        expect(seen.filter((each) => each === 'running').length).toBeLessThanOrEqual(1);
        expect(seen.filter(isRunOver).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('a load profile', () => {
  const steps = fc.array(
    fc.record({ minutes: fc.integer({ min: 1, max: 90 }), percent: fc.integer({ min: 0, max: 110 }) }),
    { minLength: 1, maxLength: 6 },
  );

  test('has at each moment of the run one step, which the next follows without a gap', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 60, max: 2_000 }), (profile, minutes) => {
        const durationMs = minutes * 60_000;
        let atMs = 0;
        let index = 0;
        while (atMs < durationMs) {
          const step = stepAt(profile, durationMs, atMs);
          expect(step).toMatchObject({ index, startMs: atMs, percent: profile[index % profile.length]?.percent });
          expect(stepAt(profile, durationMs, (step?.endMs ?? 0) - 1)?.index).toBe(index);
          atMs = step?.endMs ?? durationMs;
          index += 1;
        }
        expect(atMs).toBe(durationMs);
        expect(stepAt(profile, durationMs, durationMs)).toBeUndefined();
        expect(stepAt(profile, durationMs, -1)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });
});
