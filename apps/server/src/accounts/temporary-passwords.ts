import { randomInt } from 'node:crypto';
import { hashPassword, md5Hex } from './passwords.ts';

/** Without characters that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 12;

/** A random password, shown once to who asked for it and good for one sign-in, and what is stored of it. */
export async function newTemporaryPassword(): Promise<{ password: string; hash: string }> {
  const password = Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('');
  return { password, hash: await hashPassword(md5Hex(password)) };
}
