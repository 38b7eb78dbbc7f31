import { expect, test } from 'vitest';
import { formatAmount } from './amount.ts';

test.each([
  ['12.200000', 'EUR', '12,20'],
  ['1234.5', 'EUR', '1.234,50'],
  ['-3.456', 'PLN', '−3,46'],
  ['1250.4', 'KRW', '1.250'],
  ['0.5', '', '0,50'],
  [null, 'EUR', '–'],
])('%s %s is %s below a header that says the currency', (amount, currency, text) => {
  expect(formatAmount(amount, currency, 'de-DE')).toBe(text);
});
