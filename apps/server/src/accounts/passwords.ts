import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { HashQueue } from './hash-queue.ts';

const derive = promisify(argon2);

// OWASP's second Argon2id profile: 19 MiB, two passes, one lane.
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const tagLength = 32;

/** All hashing of this process. One core is left to everything else, where there is more than one. */
export const hashing = new HashQueue({
  concurrency: Math.max(1, Math.min(2, availableParallelism() - 1)),
  longestWaitMs: 2_000,
});

const hash = (message: Buffer, nonce: Buffer) =>
  hashing.run(() => derive('argon2id', { message, nonce, tagLength, ...cost }));

/** Stands in the place of a hash where no password fits. */
export const NO_PASSWORD = '';

/** Lower-case hex MD5 of a password, as clients of this API family send it at sign-in. */
export const md5Hex = (password: string): string => createHash('md5').update(password, 'utf8').digest('hex');

/** Argon2id of the MD5 hex with a random salt, in PHC form. Runs off the event loop. */
export async function hashPassword(passwordMd5Hex: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await hash(Buffer.from(passwordMd5Hex), salt);
  const b64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${b64(salt)}$${b64(tag)}`;
}

const decoy = hashPassword(md5Hex(randomBytes(16).toString('hex')));

/** Whether the MD5 hex fits a stored hash; takes as long without a stored one, so that accounts cannot be guessed by time. */
export async function fitsPassword(passwordMd5Hex: string, stored: string | undefined): Promise<boolean> {
  const usable = stored !== undefined && stored !== NO_PASSWORD;
  const [, , , , salt, tag] = (usable ? stored : await decoy).split('$');
  if (!salt || !tag) throw new Error('a stored password is no Argon2id hash');
  const given = await hash(Buffer.from(passwordMd5Hex), Buffer.from(salt, 'base64'));
  return timingSafeEqual(given, Buffer.from(tag, 'base64')) && usable;
}
