import { expect, it } from 'vitest';
import { Receipts } from './receipts.ts';

it('gives no two the same moment, in the order in which they came, also where the clock stands or is set back a little', () => {
  let clock = 1_000;
  const receipts = new Receipts(() => clock);
  const first = [receipts.next(), receipts.next()];
  clock = 999;
  const second = [receipts.next(), receipts.next()];
  const all = [...first, ...second];
  expect(all).toEqual(all.toSorted((a, b) => a - b));
  expect(new Set(all).size).toBe(4);
  expect(Math.max(...all)).toBeLessThan(1_001);
});

it('follows a clock that is set right', () => {
  let clock = 10_000_000;
  const receipts = new Receipts(() => clock);
  receipts.next();
  clock = 5_000_000;
  expect(receipts.next()).toBe(5_000_000);
});
