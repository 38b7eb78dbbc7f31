import { expect, test } from 'vitest';
import { FailureLimit } from './failure-limit.ts';

const MINUTE_MS = 60_000;
const limit = () => new FailureLimit(3, 5 * MINUTE_MS, 100);
const fail = (failures: FailureLimit, network: string, name: string, times: number, nowMs = 0) => {
  for (let count = 0; count < times; count += 1) failures.failed(network, name, nowMs);
};

test('failures block one name in one network, for five minutes', () => {
  const failures = limit();
  fail(failures, '10.0.0.1', 'A', 3);
  expect(failures.isBlocked('10.0.0.1', 'A', 1)).toBe(true);
  expect(failures.isBlocked('10.0.0.1', 'B', 1)).toBe(false);
  expect(failures.isBlocked('10.0.0.2', 'A', 1)).toBe(false);
  expect(failures.isBlocked('10.0.0.1', 'A', 5 * MINUTE_MS)).toBe(false);
});

test('only the failures of one minute count together', () => {
  const failures = limit();
  fail(failures, '10.0.0.1', 'A', 2, 0);
  fail(failures, '10.0.0.1', 'A', 2, MINUTE_MS);
  expect(failures.isBlocked('10.0.0.1', 'A', MINUTE_MS)).toBe(false);
});

test('a name that has signed in from a network before is never blocked there', () => {
  const failures = limit();
  failures.succeeded('10.0.0.1', 'A');
  fail(failures, '10.0.0.1', 'A', 50);
  expect(failures.isBlocked('10.0.0.1', 'A', 1)).toBe(false);
  fail(failures, '10.0.0.2', 'A', 3);
  expect(failures.isBlocked('10.0.0.2', 'A', 1)).toBe(true);
});

test('a network that fails under many names is known to guess', () => {
  const failures = limit();
  for (let name = 0; name < 29; name += 1) failures.failed('10.0.0.1', `N${name}`, 0);
  expect(failures.isGuessing('10.0.0.1', 1)).toBe(false);
  failures.failed('10.0.0.1', 'N29', 0);
  expect(failures.isGuessing('10.0.0.1', 1)).toBe(true);
  expect(failures.isGuessing('10.0.0.2', 1)).toBe(false);
});

test('it remembers no more than it may, however many names and networks come', () => {
  const failures = limit();
  for (let at = 0; at < 10_000; at += 1) {
    failures.failed(`10.0.${at >> 8}.${at & 255}`, `N${at}`, 0);
    failures.succeeded(`10.1.${at >> 8}.${at & 255}`, `N${at}`);
  }
  expect(failures.remembered).toBeLessThanOrEqual(200);
});
