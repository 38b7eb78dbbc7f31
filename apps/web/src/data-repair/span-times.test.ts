import fc from 'fast-check';
import { expect, test } from 'vitest';
import { momentOf, typedMoment, wholeSteps } from './span-times.ts';

const zones = fc.constantFrom('Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe', 'UTC');
const moments = fc
  .integer({ min: Date.UTC(2024, 0, 1) / 300_000, max: Date.UTC(2028, 0, 1) / 300_000 })
  .map((n) => n * 300_000);

test('a moment that is typed as it is shown is that moment, or the first of an hour that comes twice', () => {
  fc.assert(
    fc.property(moments, zones, (tsMs, zone) => {
      const typed = typedMoment(tsMs, zone);
      const back = momentOf(typed, zone);
      expect(typedMoment(back ?? 0, zone)).toEqual(typed);
      expect(back).toBeLessThanOrEqual(tsMs);
      expect(tsMs - (back ?? 0)).toBeLessThanOrEqual(3_600_000);
    }),
  );
});

test('a marked span lies within whole steps, in whichever direction it was drawn', () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.nat(1e9), (one, other) => {
      const [fromMs, toMs] = wholeSteps(one, other);
      expect([fromMs % 300_000, toMs % 300_000]).toEqual([0, 0]);
      expect(fromMs).toBeLessThanOrEqual(Math.min(one, other));
      expect(toMs).toBeGreaterThanOrEqual(Math.max(one, other));
      expect(toMs).toBeGreaterThan(fromMs);
    }),
  );
});
