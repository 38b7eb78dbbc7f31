import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallPace } from './call-pace.ts';

test('never lets two calls of a name through within a second, and always one that comes a second after the last', () => {
  const calls = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 1_500 })), { maxLength: 60 });
  fc.assert(
    fc.property(calls, (steps) => {
      const pace = new CallPace(1_000);
      const lastMs = new Map<string, number>();
      let nowMs = 0;
      for (const [name, afterMs] of steps) {
        nowMs += afterMs;
        const isDue = nowMs - (lastMs.get(name) ?? Number.NEGATIVE_INFINITY) >= 1_000;
        expect(pace.admits(name, nowMs)).toBe(isDue);
        if (isDue) lastMs.set(name, nowMs);
      }
    }),
  );
});
