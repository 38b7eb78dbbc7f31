import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_MS, bucketStart } from './bucket-span.ts';
import {
  earnings,
  purchaseCost,
  roundMoney,
  roundParts,
  sumMoney,
  type Tariff,
  tariffAt,
  tariffSpans,
} from './money.ts';

const wh = fc.double({ min: 0, max: 1e6, noNaN: true });
const price = fc.integer({ min: 0, max: 99_999 }).map((units) => (units / 1e5).toFixed(5));

describe('money', () => {
  test('decimals are exact where binary numbers are not', () => {
    expect(earnings({ exportWh: 100, suppliedWh: 200, feedInPricePerKwh: '1', purchasePricePerKwh: '1' }).total).toBe(
      '0.3',
    );
    expect(
      earnings({ exportWh: 12_345.6, suppliedWh: 7000, feedInPricePerKwh: '0.0803', purchasePricePerKwh: 0.3512 }),
    ).toEqual({ feedIn: '0.99135168', saved: '2.4584', total: '3.44975168' });
    expect(purchaseCost(1500, '0.3')).toBe('0.45');
  });

  test('days add up exactly to their month before rounding, and what is shown adds up to the cent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(wh, wh), { minLength: 1, maxLength: 31 }),
        price,
        price,
        (days, feedIn, purchase) => {
          const exact = days.map(
            ([exportWh, suppliedWh]) =>
              earnings({ exportWh, suppliedWh, feedInPricePerKwh: feedIn, purchasePricePerKwh: purchase }).total,
          );
          const shown = roundParts(exact);
          expect(roundMoney(sumMoney(shown))).toBe(roundMoney(sumMoney(exact)));
          shown.forEach((part, index) => {
            expect(Math.abs(Number(part) - Number(exact[index]))).toBeLessThanOrEqual(0.01 + 1e-9);
          });
        },
      ),
    );
  });

  test('rounding is half away from zero and keeps its decimals', () => {
    expect([roundMoney('-0.004'), roundMoney('-0.4', 0)]).toEqual(['0.00', '0']);
    expect([roundMoney('0.005'), roundMoney('-0.005'), roundMoney('1.5'), roundMoney('2.4', 0)]).toEqual([
      '0.01',
      '-0.01',
      '1.50',
      '2',
    ]);
  });

  test('what is no decimal is refused', () => {
    expect(() =>
      earnings({ exportWh: Number.NaN, suppliedWh: 0, feedInPricePerKwh: '1', purchasePricePerKwh: '1' }),
    ).toThrow();
    expect(() => earnings({ exportWh: 1, suppliedWh: 0, feedInPricePerKwh: 'x', purchasePricePerKwh: '1' })).toThrow();
  });
});

describe('tariffs', () => {
  const tariffs = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 3_000_000 }), fc.constantFrom('0.1', '0.2', null)), { maxLength: 12 })
    .map((changes): Tariff[] => {
      const made = (fromMs: number, feedInPricePerKwh: string | null): Tariff => ({
        fromMs,
        feedInPricePerKwh,
        purchasePricePerKwh: '0.3',
        currency: 'EUR',
      });
      const later = changes.toSorted(([a], [b]) => a - b).map(([fromMs, feedIn]) => made(fromMs, feedIn));
      return [made(Number.NEGATIVE_INFINITY, '0.05'), ...later];
    });

  test('the one that is valid is the last that has begun', () => {
    fc.assert(
      fc.property(tariffs, fc.integer({ min: -1_000, max: 4_000_000 }), (list, tsMs) => {
        expect(tariffAt(list, tsMs)).toBe(list.findLast(({ fromMs }) => fromMs <= tsMs));
      }),
    );
  });

  test('parts of a span join without holes, and each bucket has the prices that are valid at its start', () => {
    fc.assert(
      fc.property(tariffs, fc.nat(10), fc.integer({ min: 1, max: 12 }), (list, first, buckets) => {
        const span = { startMs: first * BUCKET_MS, endMs: (first + buckets) * BUCKET_MS };
        const parts = tariffSpans(list, span, 'Europe/Berlin');
        expect(parts[0]?.startMs).toBe(span.startMs);
        expect(parts.at(-1)?.endMs).toBe(span.endMs);
        parts.slice(1).forEach((part, index) => {
          expect(part.startMs).toBe(parts[index]?.endMs);
          expect(part.startMs).toBe(bucketStart(part.startMs));
        });
        for (let atMs = span.startMs; atMs < span.endMs; atMs += BUCKET_MS) {
          const part = parts.find(({ startMs, endMs }) => atMs >= startMs && atMs < endMs);
          expect(part?.tariff.feedInPricePerKwh).toBe(tariffAt(list, atMs).feedInPricePerKwh);
        }
      }),
    );
  });
});
