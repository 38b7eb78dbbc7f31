import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAILURE_WINDOW_MS, FREE_FAILURES, networkOf, waitAfter } from './attempts.states.ts';

const failures = fc.integer({ min: 0, max: 100_000 });
const ageMs = fc.integer({ min: 0, max: 2 * FAILURE_WINDOW_MS });

describe('the wait after failed sign-ins', () => {
  test('is nothing for the first four, one second after the fifth, and grows with each', () => {
    fc.assert(
      fc.property(failures, (count) => {
        const waitMs = waitAfter(count, 0);
        expect(waitMs > 0).toBe(count >= FREE_FAILURES);
        expect(waitAfter(count + 1, 0)).toBeGreaterThanOrEqual(waitMs);
      }),
    );
    expect(waitAfter(FREE_FAILURES, 0)).toBe(1_000);
    expect(waitAfter(FREE_FAILURES + 1, 0)).toBe(2_000);
  });

  test('never locks: it is at most five minutes, runs down with time, and is gone after the window', () => {
    fc.assert(
      fc.property(failures, ageMs, (count, age) => {
        const waitMs = waitAfter(count, age);
        expect(waitMs).toBeLessThanOrEqual(5 * 60_000);
        expect(waitAfter(count, age + waitMs)).toBe(0);
        expect(waitAfter(count, age + FAILURE_WINDOW_MS)).toBe(0);
      }),
    );
  });
});

describe('what an address is counted by', () => {
  test('is the address itself for IPv4, also where it is written as IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(networkOf(address)).toBe(address);
        expect(networkOf(`::ffff:${address}`)).toBe(address);
      }),
    );
  });

  test('is the network of 64 bits for IPv6: changing the rest of the address changes nothing', () => {
    const groups = fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, groups, (one, other) => {
        const text = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':');
        expect(networkOf(text(one))).toBe(networkOf(text([...one.slice(0, 4), ...other.slice(4)])));
        expect(networkOf(text(one))).toBe(text(one.slice(0, 4)));
      }),
    );
    expect(networkOf('2001:db8::1')).toBe(networkOf('2001:0db8:0:0:ffff::2'));
    expect(networkOf('2001:db8::1')).not.toBe(networkOf('2001:db8:0:1::1'));
    expect(networkOf('::1')).toBe('0:0:0:0');
  });
});
