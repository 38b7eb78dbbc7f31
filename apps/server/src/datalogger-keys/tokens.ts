import { createHmac, randomBytes } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const TOKEN_LENGTH = 26;

/** 26 characters of base32: 130 bits. */
export function newToken(): string {
  return textOf(randomBytes(TOKEN_LENGTH));
}

/** The same of a secret and what it is for: whoever has the secret finds it again, and it is kept nowhere. */
export function derivedToken(secret: Buffer, purpose: string): string {
  return textOf(
    createHmac('sha256', secret).update(`sonnenwarte password ${purpose}`).digest().subarray(0, TOKEN_LENGTH),
  );
}

const textOf = (bytes: Buffer): string => Array.from(bytes, (byte) => ALPHABET[byte & 31]).join('');
