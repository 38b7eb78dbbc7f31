import { expect, test } from 'vitest';
import { beginsWith, newAccount } from './account.ts';
import type { AccountedDevice } from './recompute-windows.ts';

const FIRST_MS = Date.UTC(2026, 5, 1, 10);

/** As ingestion leaves a device once its first sample is stored. */
const heardFirst = (change: Partial<AccountedDevice> = {}) =>
  newAccount({ emptyFromMs: Number.NEGATIVE_INFINITY, emptyToMs: FIRST_MS, ...change } as AccountedDevice);

test('the account of a device of which nothing else is stored begins with its first sample, without loading anything', () => {
  expect(beginsWith(heardFirst(), FIRST_MS)).toBe(true);
});

test.each([
  ['a sample that is not the oldest stored', heardFirst(), FIRST_MS + 1],
  ['a device that may have older samples', heardFirst({ emptyFromMs: 0 }), FIRST_MS],
  ['an account that has begun, or waits to be made anew', { ...heardFirst(), isNew: false }, FIRST_MS],
])('%s: the day is loaded first', (_, account, tsMs) => {
  expect(beginsWith(account, tsMs)).toBe(false);
});
