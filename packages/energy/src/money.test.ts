import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { earnings, purchaseCost, roundMoney, roundParts, sumMoney } from './money.ts';

const wh = fc.double({ min: 0, max: 1e6, noNaN: true });
const price = fc.integer({ min: 0, max: 99_999 }).map((units) => (units / 1e5).toFixed(5));

describe('money', () => {
  test('decimals are exact where binary numbers are not', () => {
    expect(earnings({ exportWh: 100, selfUsedWh: 200, feedInPricePerKwh: '1', purchasePricePerKwh: '1' }).total).toBe(
      '0.3',
    );
    expect(
      earnings({ exportWh: 12_345.6, selfUsedWh: 7000, feedInPricePerKwh: '0.0803', purchasePricePerKwh: 0.3512 }),
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
            ([exportWh, selfUsedWh]) =>
              earnings({ exportWh, selfUsedWh, feedInPricePerKwh: feedIn, purchasePricePerKwh: purchase }).total,
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
    expect([roundMoney('0.005'), roundMoney('-0.005'), roundMoney('1.5'), roundMoney('2.4', 0)]).toEqual([
      '0.01',
      '-0.01',
      '1.50',
      '2',
    ]);
  });

  test('what is no decimal is refused', () => {
    expect(() =>
      earnings({ exportWh: Number.NaN, selfUsedWh: 0, feedInPricePerKwh: '1', purchasePricePerKwh: '1' }),
    ).toThrow();
    expect(() => earnings({ exportWh: 1, selfUsedWh: 0, feedInPricePerKwh: 'x', purchasePricePerKwh: '1' })).toThrow();
  });
});
