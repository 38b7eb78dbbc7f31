import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_MS, bucketStart, forEachShare } from './bucket-span.ts';

function spread(fromMs: number, toMs: number, energyWh: number): { bucketMs: number; energyWh: number }[] {
  const parts: { bucketMs: number; energyWh: number }[] = [];
  forEachShare(fromMs, toMs, energyWh, (bucketMs, shareWh) => parts.push({ bucketMs, energyWh: shareWh }));
  return parts;
}

describe('forEachShare', () => {
  test('the parts add up to the whole, follow each other and share by time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 1, max: 4 * 3_600_000 }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (fromMs, durationMs, energyWh) => {
          const parts = spread(fromMs, fromMs + durationMs, energyWh);
          expect(parts.reduce((sum, part) => sum + part.energyWh, 0)).toBeCloseTo(energyWh, 6);
          expect(parts[0]?.bucketMs).toBe(bucketStart(fromMs));
          parts.forEach((part, index) => {
            const overlapMs =
              Math.min(part.bucketMs + BUCKET_MS, fromMs + durationMs) - Math.max(part.bucketMs, fromMs);
            expect(overlapMs).toBeGreaterThan(0);
            expect(part.energyWh).toBeCloseTo((energyWh * overlapMs) / durationMs, 5);
            if (index > 0) expect(part.bucketMs - (parts[index - 1]?.bucketMs ?? 0)).toBe(BUCKET_MS);
          });
        },
      ),
    );
  });

  test('a span within one bucket goes there whole, one that ends on a boundary belongs before it', () => {
    expect(spread(BUCKET_MS, 2 * BUCKET_MS, 7)).toEqual([{ bucketMs: BUCKET_MS, energyWh: 7 }]);
    expect(spread(5, 5, 7)).toEqual([{ bucketMs: 0, energyWh: 7 }]);
  });
});
