import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IntegrationState } from './integration.ts';
import { integrateStep } from './integration.ts';

const OPTIONS = { gapMs: 20 * 60_000 };
const power = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe('integrateStep', () => {
  test('the parts of a step are never negative and their difference is the trapezoid', () => {
    fc.assert(
      fc.property(power, power, fc.integer({ min: 1, max: OPTIONS.gapMs }), (fromW, toW, durationMs) => {
        const { step } = integrateStep({ lastTsMs: 0, lastPowerW: fromW }, durationMs, toW, OPTIONS);
        const { positiveWh, negativeWh } = step ?? { positiveWh: Number.NaN, negativeWh: Number.NaN };
        expect(positiveWh).toBeGreaterThanOrEqual(0);
        expect(negativeWh).toBeGreaterThanOrEqual(0);
        expect(positiveWh - negativeWh).toBeCloseTo((((fromW + toW) / 2) * durationMs) / 3_600_000, 6);
      }),
    );
  });

  test('a line through zero is split exactly where it crosses', () => {
    const { step } = integrateStep({ lastTsMs: 0, lastPowerW: 3000 }, 600_000, -1000, OPTIONS);
    expect(step?.positiveWh).toBeCloseTo((3000 * 450) / 2 / 3600, 9);
    expect(step?.negativeWh).toBeCloseTo((1000 * 150) / 2 / 3600, 9);
  });

  test('a sample put on the line between two others changes nothing', () => {
    fc.assert(
      fc.property(power, power, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (fromW, toW, at) => {
        const durationMs = 600_000;
        const whole = integrateStep({ lastTsMs: 0, lastPowerW: fromW }, durationMs, toW, OPTIONS).step;
        const first = integrateStep(
          { lastTsMs: 0, lastPowerW: fromW },
          at * durationMs,
          fromW + at * (toW - fromW),
          OPTIONS,
        );
        const second = integrateStep(first.state, durationMs, toW, OPTIONS).step;
        expect((first.step?.positiveWh ?? 0) + (second?.positiveWh ?? 0)).toBeCloseTo(
          whole?.positiveWh ?? Number.NaN,
          5,
        );
      }),
    );
  });

  test('nothing is joined over a gap, and an earlier or non-finite sample changes nothing', () => {
    const state: IntegrationState = { lastTsMs: 0, lastPowerW: 100 };
    const late = integrateStep(state, OPTIONS.gapMs + 1, 100, OPTIONS);
    expect(late.step).toBeUndefined();
    expect(late.state).toEqual({ lastTsMs: OPTIONS.gapMs + 1, lastPowerW: 100 });
    expect(integrateStep(state, -1, 5, OPTIONS)).toEqual({ state });
    expect(integrateStep(state, 5, Number.NaN, OPTIONS)).toEqual({ state });
  });
});
