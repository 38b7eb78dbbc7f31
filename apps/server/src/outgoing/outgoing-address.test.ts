import { describe, expect, test } from 'vitest';
import { isAllowedUrl } from './outgoing-address.ts';

describe('a service that the operator names', () => {
  const outside = { privateAddresses: false, plainLoopback: false, plainPrivate: false };
  const ownHouse = { privateAddresses: true, plainLoopback: true, plainPrivate: true };

  test.each(['https://api.example.com/v1', 'https://1.1.1.1/'])('may be %s anyway', (url) => {
    expect(isAllowedUrl(url, outside)).toBe(true);
    expect(isAllowedUrl(url, ownHouse)).toBe(true);
  });

  test.each(['http://10.1.2.3:8080/v1', 'http://127.0.0.1/', 'http://localhost/', 'https://192.168.1.4/'])(
    'may be %s where its own network is allowed',
    (url) => {
      expect(isAllowedUrl(url, outside)).toBe(false);
      expect(isAllowedUrl(url, ownHouse)).toBe(true);
    },
  );

  test.each(['http://1.1.1.1/', 'ftp://10.1.2.3/', 'https://user:secret@api.example.com/'])('is never %s', (url) => {
    expect(isAllowedUrl(url, outside)).toBe(false);
    expect(isAllowedUrl(url, ownHouse)).toBe(false);
  });

  test('is not called in plain outside its own network, whatever its name says', () => {
    expect(isAllowedUrl('http://weather.example.com/', outside)).toBe(false);
  });
});
