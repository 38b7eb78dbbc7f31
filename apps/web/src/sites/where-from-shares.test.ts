import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bandsOf, origins, partOf, sharesOf, shownOrigins } from './where-from-shares.ts';

const wh = fc.oneof(fc.constant(0), fc.double({ min: 0.5, max: 100_000, noNaN: true }));
const parts = fc.record({ pvWh: wh, externalWh: wh, batteryWh: wh, gridWh: wh, undividedWh: wh });
const tells = fc.record({ external: fc.boolean(), battery: fc.boolean() });

describe('where from, as it is drawn', () => {
  test('shares add up to 100 % and none is off by a whole percent', () => {
    fc.assert(
      fc.property(fc.array(wh, { minLength: 1, maxLength: 6 }), (values) => {
        const sum = values.reduce((all, value) => all + value, 0);
        const shares = sharesOf(values);
        expect(shares.reduce((all, share) => all + share, 0)).toBe(sum > 0 ? 100 : 0);
        values.forEach((value, place) => {
          expect(Math.abs((shares[place] ?? 0) - (sum > 0 ? (100 * value) / sum : 0))).toBeLessThan(1);
        });
      }),
    );
  });

  test('every origin that gave something is shown, and its band is to scale', () => {
    fc.assert(
      fc.property(parts, tells, (given, told) => {
        const shown = shownOrigins(given, told);
        for (const origin of origins) if (partOf(given, origin) > 0.5) expect(shown).toContain(origin);
        const { bands, totalPx, leftPx } = bandsOf(given, shown, { heightPx: 100, gapPx: 20, leastRoomPx: 30 });
        const sum = bands.reduce((all, { origin }) => all + partOf(given, origin), 0);
        for (const { origin, height } of bands)
          expect(height).toBeCloseTo(Math.max(1, (100 * partOf(given, origin)) / sum), 6);
        expect(totalPx).toBeLessThanOrEqual(105);
        bands.forEach(({ fromY, toY, height }, place) => {
          const next = bands[place + 1];
          expect(fromY + height).toBeLessThanOrEqual((next?.fromY ?? leftPx) + 1e-6);
          expect(toY + height).toBeLessThanOrEqual((next?.toY ?? totalPx) + 1e-6);
        });
      }),
    );
  });
});
