import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { newBrowser } from '../testing/push-browser.ts';
import { encryptPush, newVapidKeys, pushMessage } from './web-push.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('encrypts as in the worked example of RFC 8291', () => {
  const body = encryptPush(
    'When I grow up, I want to be a watermelon',
    {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    { privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'), salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') },
  );
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('can be read by the browser of the subscription and by no other', () => {
  const browser = newBrowser();
  const body = encryptPush('Grüße', browser.keys);
  expect(browser.read(body)).toBe('Grüße');
  expect(() => newBrowser().read(body)).toThrow();
});

test('carries a token that the public key of the installation confirms, for this push service only', () => {
  const keys = newVapidKeys();
  const target = { endpoint: 'https://push.example.com/send/abc', keys: newBrowser().keys };
  const { headers } = pushMessage('x', target, keys, 'mailto:solar@example.com');
  const [, token = '', k] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  expect(k).toBe(keys.publicKey);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const { kty, crv, x, y } = keys.privateJwk;
  const publicKey = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  expect(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes(signature))).toBe(true);
  const now = Date.now() / 1_000;
  const said = JSON.parse(bytes(claims).toString()) as { exp: number };
  expect(said).toMatchObject({ aud: 'https://push.example.com', sub: 'mailto:solar@example.com' });
  expect(said.exp).toBeGreaterThan(now);
  expect(said.exp).toBeLessThan(now + 86_400);
});
