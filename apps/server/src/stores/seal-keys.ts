import { createHash, createHmac, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../config.ts';

const KEY = /^[0-9a-f]{64}$/;
const FINGERPRINT_DIGITS = 16;
export const KEY_FILE = 'audit.key';

/** A key of the audit log, which never enters the database. */
export interface SealKey {
  /** Names the key in the entries that are sealed with it; tells nothing about it. */
  readonly id: string;
  readonly secret: Buffer;
}

/** The key that seals new entries, and those of earlier times that verify older ones. */
export interface SealKeys {
  readonly current: SealKey;
  readonly all: ReadonlyMap<string, SealKey>;
}

/** What was given as key cannot be used; the message says where and what is expected. */
export class SealKeyError extends ConfigError {
  override name = 'SealKeyError';
}

export interface KeySource {
  readonly dataDir: string;
  /** Keys as 64 hexadecimal digits, the current one first, apart by commas. */
  readonly auditKey: string | undefined;
  /** A file with one such key a line. */
  readonly auditKeyFile: string | undefined;
}

/** Reads the keys; `undefined` where there are none yet. Throws SealKeyError. */
export function readSealKeys({ dataDir, auditKey, auditKeyFile }: KeySource): SealKeys | undefined {
  if (auditKey !== undefined) return parse(auditKey.split(','), 'AUDIT_KEY');
  const file = auditKeyFile ?? join(dataDir, KEY_FILE);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && auditKeyFile === undefined) return undefined;
    throw new SealKeyError(
      auditKeyFile === undefined
        ? `The key of the audit log, ${file}, cannot be read (${code}).`
        : `AUDIT_KEY_FILE is "${file}": it cannot be read (${code}).`,
    );
  }
  return parse(text.split('\n'), auditKeyFile === undefined ? file : `AUDIT_KEY_FILE "${file}"`);
}

/** Reads the keys, or makes the first one in the data folder. */
export function openSealKeys(source: KeySource): SealKeys {
  const found = readSealKeys(source);
  if (found !== undefined) return found;
  keepNewKey(join(source.dataDir, KEY_FILE));
  const made = readSealKeys(source);
  if (made === undefined) throw new SealKeyError(`The key of the audit log cannot be kept in ${source.dataDir}.`);
  return made;
}

function parse(lines: readonly string[], where: string): SealKeys {
  const texts = lines.map((line) => line.trim().toLowerCase()).filter((line) => line !== '' && !line.startsWith('#'));
  if (texts.length === 0) throw new SealKeyError(`${where} holds no key: 64 hexadecimal digits are expected.`);
  const keys = texts.map((text, index) => {
    if (!KEY.test(text)) throw new SealKeyError(`${where}: key ${index + 1} is not 64 hexadecimal digits.`);
    return keyOf(Buffer.from(text, 'hex'));
  });
  const [current] = keys;
  if (current === undefined) throw new SealKeyError(`${where} holds no key.`);
  return { current, all: new Map(keys.map((key) => [key.id, key])) };
}

const keyOf = (secret: Buffer): SealKey => ({
  id: createHash('sha256').update('sonnenwarte audit key').update(secret).digest('hex').slice(0, FINGERPRINT_DIGITS),
  secret,
});

/** Whole or not at all: a key that was lost half-way would make the log unreadable to whoever verifies it. */
function keepNewKey(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, 'w', 0o600);
  writeSync(handle, `${randomBytes(32).toString('hex')}\n`);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(draft, file);
}

/** HMAC-SHA-256 under a key, for a purpose: what is sealed for one is not valid for another. */
export const sealOf = (
  { secret }: SealKey,
  purpose: 'entry' | 'head',
  content: readonly (string | Buffer)[],
): Buffer => {
  const mac = createHmac('sha256', secret).update(purpose).update('\0');
  for (const part of content) mac.update(part);
  return mac.digest();
};
