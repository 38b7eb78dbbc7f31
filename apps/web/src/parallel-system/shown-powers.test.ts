import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownPowers, W_PER_STEP } from './shown-powers.ts';

test('powers as they are shown add up to their rounded sum, and none is off by a whole step', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true })), { maxLength: 12 }), (powers) => {
      const shown = shownPowers(powers);
      const sum = powers.reduce<number>((all, value) => all + (value ?? 0), 0);
      expect(shown.reduce<number>((all, value) => all + (value ?? 0), 0)).toBe(Math.round(sum / W_PER_STEP) + 0);
      for (const [index, value] of powers.entries()) {
        const step = shown[index];
        if (value === null) expect(step).toBeNull();
        else expect(Math.abs((step ?? Number.NaN) - value / W_PER_STEP)).toBeLessThan(1);
      }
    }),
  );
});
