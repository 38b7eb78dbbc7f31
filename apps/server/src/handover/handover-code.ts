import { createHash, randomInt } from 'node:crypto';

/** Without letters that look like digits: it is read off a sheet and typed. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const PARTS = 3;
const PART_LENGTH = 4;

/** A new code as it is shown: three parts of four signs, 59 bits; longer than a sign-up code, with which it shares a field. */
export function newHandoverCode(): string {
  const part = () => Array.from({ length: PART_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: PARTS }, part).join('-');
}

/** By what a code is found: in capitals, without what stands between its parts. */
export const hashOfCode = (code: string): Buffer =>
  createHash('sha256')
    .update(`handover:${code.replaceAll(/[\s-]/g, '').toUpperCase()}`)
    .digest();
