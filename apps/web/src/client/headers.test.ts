import { describe, expect, test } from 'vitest';
import { headersOf, md5Hex, signatureOf } from './headers.ts';

const parts = { path: '/c/v0/user/login', token: '', lang: 'en', timestamp: '1700000000000' };

describe('signature of a web call', () => {
  test('equals the worked example of the API description', () => {
    expect(signatureOf(parts)).toBe('93688dd15bc9cce4bb68404cc6caccb0.5245784');
  });

  test('changes with each of its parts', () => {
    const changed = [{ path: '/c/v0/user/info' }, { token: 'abc' }, { lang: 'de' }, { timestamp: '1700000000001' }];
    const signatures = changed.map((change) => signatureOf({ ...parts, ...change }));
    expect(new Set([...signatures, signatureOf(parts)]).size).toBe(changed.length + 1);
  });

  test('a password is hashed as lower-case hex MD5 of its UTF-8 bytes', () => {
    expect(md5Hex('sonnenwarte')).toMatch(/^[0-9a-f]{32}$/);
    expect(md5Hex('')).toBe('d41d8cd98f00b204e9800998ecf8427e');
  });
});

describe('headers of a call', () => {
  test('are the six of the specification', () => {
    const headers = headersOf({ ...parts, token: 'abc', timezone: 'Europe/Berlin', signed: true });
    expect(Object.keys(headers).sort()).toEqual([
      'content-type',
      'lang',
      'signature',
      'timestamp',
      'timezone',
      'token',
    ]);
  });

  test('an unsigned call carries neither token nor signature', () => {
    const headers = headersOf({ ...parts, token: 'abc', timezone: 'Europe/Berlin', signed: false });
    expect(headers).not.toHaveProperty('token');
    expect(headers).not.toHaveProperty('signature');
  });
});
