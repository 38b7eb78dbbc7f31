import { randomBytes } from 'node:crypto';
import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { errno } from '@sonnenwarte/contract/errors';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const MOST_CALLS = 1_200;
const AT_ONCE = 40;

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => portal?.stop());
// All calls of a test fall into one window, however long they take.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Answers of so many calls from an address, each with the token that `tokenOf` gives it. */
async function answersOf(calls: number, address: string, tokenOf: () => string): Promise<number[]> {
  const answers: number[] = [];
  const caller = async () => {
    while (answers.length < calls) {
      const place = answers.push(0) - 1;
      const headers = { 'x-forwarded-for': address };
      answers[place] = (await portal.call(accountEndpoints.accessLevel, {}, { token: tokenOf(), headers })).errno;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return answers;
}

const countOf = (answers: readonly number[], wanted: number): number =>
  answers.filter((number) => number === wanted).length;

const invented = (): string => randomBytes(32).toString('base64url');

test('calls with invented tokens count together for their address, and are not looked up beyond its limit', async () => {
  const token = await portal.sessionOf('owner');
  const headers = { 'x-forwarded-for': '198.51.100.1' };
  expect((await portal.call(accountEndpoints.accessLevel, {}, { token, headers })).errno).toBe(0);
  const answers = await answersOf(MOST_CALLS + 100, '198.51.100.1', invented);
  expect(countOf(answers, errno.tokenInvalid)).toBe(MOST_CALLS - 1);
  expect(countOf(answers, errno.tooManyRequests)).toBe(101);
  // Who is signed in there goes on, and so do other addresses.
  expect((await portal.call(accountEndpoints.accessLevel, {}, { token, headers })).errno).toBe(0);
  expect(await answersOf(1, '198.51.100.2', invented)).toEqual([errno.tokenInvalid]);
});

test('calls of an IPv6 network count together', async () => {
  let host = 0;
  const answers: number[] = [];
  const caller = async () => {
    while (host < MOST_CALLS + 100) {
      host += 1;
      const headers = { 'x-forwarded-for': `2001:db8:1:2::${host.toString(16)}` };
      answers.push((await portal.call(accountEndpoints.accessLevel, {}, { token: invented(), headers })).errno);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  expect(countOf(answers, errno.tooManyRequests)).toBeGreaterThanOrEqual(100);
  expect(countOf(answers, errno.tokenInvalid)).toBe(MOST_CALLS);
});

test('calls of a session count for it alone', async () => {
  const token = await portal.sessionOf('owner');
  const answers = await answersOf(MOST_CALLS + 100, '198.51.100.3', () => token);
  expect(countOf(answers, errno.tooManyRequests)).toBeGreaterThan(0);
  const other = await portal.sessionOf('agent');
  const headers = { 'x-forwarded-for': '198.51.100.3' };
  expect((await portal.call(accountEndpoints.accessLevel, {}, { token: other, headers })).errno).toBe(0);
});
