import { randomBytes } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_BITS = 80n;

let lastMs = 0;
let lastRandom = 0n;

/** A ULID: it sorts by time, and those of one process by the order in which they were made. */
export function newUlid(nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    // The highest bit stays free, so that counting on from it never runs over.
    lastRandom = BigInt(`0x${randomBytes(10).toString('hex')}`) >> 1n;
  } else lastRandom += 1n;
  let rest = (BigInt(lastMs) << RANDOM_BITS) | lastRandom;
  let text = '';
  for (let digit = 0; digit < 26; digit += 1) {
    text = `${DIGITS[Number(rest & 31n)]}${text}`;
    rest >>= 5n;
  }
  return text;
}
