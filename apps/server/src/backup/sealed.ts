import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/**
 * Encryption of a stream after STREAM (Hoang, Reyhanitabar, Rogaway, Vizár 2015): AES-256-GCM over chunks whose nonce counts them and marks
 * the last one, so that none can be changed, left out, put elsewhere or cut off.
 */

export interface Sealing {
  readonly cipher: 'aes-256-gcm';
  readonly chunkBytes: number;
  readonly kdf: 'scrypt';
  readonly cost: number;
  readonly blockSize: number;
  readonly parallel: number;
  /** Base64. */
  readonly salt: string;
  readonly noncePrefix: string;
}

/** The passphrase is not the one with which the stream was sealed, or the stream was changed. */
export class SealError extends Error {
  override name = 'SealError';
}

const KEY_BYTES = 32;
const TAG_BYTES = 16;
const PREFIX_BYTES = 7;
const LARGEST_CHUNK_BYTES = 4 * 1024 * 1024;
const LARGEST_COST = 2 ** 20;
const MOST_SCRYPT_BYTES = 1024 * 1024 * 1024;

/** Fresh settings: 128 MiB and about half a second for each try of a passphrase. */
export const newSealing = (): Sealing => ({
  cipher: 'aes-256-gcm',
  chunkBytes: 64 * 1024,
  kdf: 'scrypt',
  cost: 2 ** 17,
  blockSize: 8,
  parallel: 1,
  salt: randomBytes(16).toString('base64'),
  noncePrefix: randomBytes(PREFIX_BYTES).toString('base64'),
});

/** The settings of a file, unless they ask for what no backup of ours asks for. */
export function parseSealing(value: unknown): Sealing | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = value as Sealing;
  const { cipher, kdf, chunkBytes, cost, blockSize, parallel, salt, noncePrefix } = found;
  const isNumber = (number: unknown, largest: number) =>
    Number.isInteger(number) && Number(number) > 0 && Number(number) <= largest;
  const isKnown =
    cipher === 'aes-256-gcm' && kdf === 'scrypt' && typeof salt === 'string' && typeof noncePrefix === 'string';
  const isBounded =
    isNumber(chunkBytes, LARGEST_CHUNK_BYTES) &&
    isNumber(cost, LARGEST_COST) &&
    isNumber(blockSize, 8) &&
    isNumber(parallel, 4);
  if (!isKnown || !isBounded || Buffer.from(noncePrefix, 'base64').length !== PREFIX_BYTES) return undefined;
  return { cipher, kdf, chunkBytes, cost, blockSize, parallel, salt, noncePrefix };
}

export function keyOf(passphrase: string, { cost, blockSize, parallel, salt }: Sealing): Promise<Buffer> {
  const options = { N: cost, r: blockSize, p: parallel, maxmem: MOST_SCRYPT_BYTES };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), KEY_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function nonceOf(prefix: Buffer, counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(PREFIX_BYTES + 5);
  prefix.copy(nonce);
  nonce.writeUInt32BE(counter, PREFIX_BYTES);
  nonce.writeUInt8(isLast ? 1 : 0, PREFIX_BYTES + 4);
  return nonce;
}

/**
 * Cuts what it is given into pieces of a size and passes each on as `turned` gives it back, with a nonce of its own. What goes
 * before them in the file, `bound`, is sealed with them though it stays readable.
 */
abstract class Chunked extends Transform {
  protected readonly key: Buffer;
  protected readonly bound: Buffer;
  readonly #prefix: Buffer;
  readonly #pieceBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #counter = 0;

  constructor(key: Buffer, { noncePrefix }: Sealing, bound: Buffer, pieceBytes: number) {
    super();
    this.key = key;
    this.bound = bound;
    this.#prefix = Buffer.from(noncePrefix, 'base64');
    this.#pieceBytes = pieceBytes;
  }

  protected abstract turned(piece: Buffer, nonce: Buffer, number: number): Buffer;

  override _transform(part: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    // The last piece is told from the others only at the end.
    this.#attempt(done, () => {
      while (this.#bytes > this.#pieceBytes) this.#pass(this.#pieceBytes, false);
    });
  }

  override _flush(done: TransformCallback): void {
    this.#attempt(done, () => this.#pass(this.#bytes, true));
  }

  #attempt(done: TransformCallback, work: () => void): void {
    try {
      work();
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  }

  #pass(bytes: number, isLast: boolean): void {
    const all = Buffer.concat(this.#parts);
    const rest = all.subarray(bytes);
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    const nonce = nonceOf(this.#prefix, this.#counter, isLast);
    this.#counter += 1;
    this.push(this.turned(all.subarray(0, bytes), nonce, this.#counter));
  }
}

/** Turns plain bytes into sealed ones. */
export class Sealer extends Chunked {
  constructor(key: Buffer, sealing: Sealing, bound: Buffer) {
    super(key, sealing, bound, sealing.chunkBytes);
  }

  protected override turned(plain: Buffer, nonce: Buffer): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    cipher.setAAD(this.bound);
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }
}

/** The way back. Gives no byte that was not checked; fails with SealError. */
export class Opener extends Chunked {
  constructor(key: Buffer, sealing: Sealing, bound: Buffer) {
    super(key, sealing, bound, sealing.chunkBytes + TAG_BYTES);
  }

  protected override turned(chunk: Buffer, nonce: Buffer, number: number): Buffer {
    const plainBytes = chunk.length - TAG_BYTES;
    if (plainBytes < 0) throw new SealError('the last sealed chunk is cut off');
    const decipher = createDecipheriv('aes-256-gcm', this.key, nonce);
    decipher.setAAD(this.bound);
    decipher.setAuthTag(chunk.subarray(plainBytes));
    try {
      return Buffer.concat([decipher.update(chunk.subarray(0, plainBytes)), decipher.final()]);
    } catch {
      throw new SealError(
        number === 1 ? 'the passphrase is not the one of this backup' : `the sealed chunk ${number} was changed`,
      );
    }
  }
}
