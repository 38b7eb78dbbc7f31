import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddresses } from './client-address.ts';

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

test('the client is the last that no trusted proxy is, and nobody else says who it is', () => {
  const addressOf = clientAddresses(['127.0.0.1', '10.0.0.0/8', '::1']);
  expect(addressOf(request('127.0.0.1', '203.0.113.66'))).toBe('203.0.113.66');
  expect(addressOf(request('::ffff:127.0.0.1', '1.2.3.4, 203.0.113.66, 10.1.2.3'))).toBe('203.0.113.66');
  expect(addressOf(request('::1'))).toBe('::1');
  expect(addressOf(request('198.51.100.7', '203.0.113.66'))).toBe('198.51.100.7');
  expect(clientAddresses([])(request('127.0.0.1', '203.0.113.66'))).toBe('127.0.0.1');
});
