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

/** Gathers what it is given into pieces of a size. */
abstract class Chunked extends Transform {
  #parts: Buffer[] = [];
  #bytes = 0;

  protected gather(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
  }

  protected get gathered(): number {
    return this.#bytes;
  }

  protected cut(bytes: number): Buffer {
    const all = Buffer.concat(this.#parts);
    const rest = all.subarray(bytes);
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    return all.subarray(0, bytes);
  }
}

/** Turns plain bytes into sealed ones. What goes before them in the file, `bound`, is sealed with them though it stays readable. */
export class Sealer extends Chunked {
  readonly #key: Buffer;
  readonly #prefix: Buffer;
  readonly #chunkBytes: number;
  readonly #bound: Buffer;
  #counter = 0;

  constructor(key: Buffer, sealing: Sealing, bound: Buffer) {
    super();
    this.#key = key;
    this.#prefix = Buffer.from(sealing.noncePrefix, 'base64');
    this.#chunkBytes = sealing.chunkBytes;
    this.#bound = bound;
  }

  override _transform(part: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.gather(part);
    // The last chunk is told from the others only at the end.
    while (this.gathered > this.#chunkBytes) this.push(this.#seal(this.cut(this.#chunkBytes), false));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.push(this.#seal(this.cut(this.gathered), true));
    done();
  }

  #seal(plain: Buffer, isLast: boolean): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonceOf(this.#prefix, this.#counter, isLast));
    this.#counter += 1;
    cipher.setAAD(this.#bound);
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }
}

/** The way back. Gives no byte that was not checked; fails with SealError. */
export class Opener extends Chunked {
  readonly #key: Buffer;
  readonly #prefix: Buffer;
  readonly #chunkBytes: number;
  readonly #bound: Buffer;
  #counter = 0;

  constructor(key: Buffer, sealing: Sealing, bound: Buffer) {
    super();
    this.#key = key;
    this.#prefix = Buffer.from(sealing.noncePrefix, 'base64');
    this.#chunkBytes = sealing.chunkBytes;
    this.#bound = bound;
  }

  override _transform(part: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.gather(part);
    try {
      const whole = this.#chunkBytes + TAG_BYTES;
      while (this.gathered > whole) this.push(this.#open(this.cut(whole), false));
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      this.push(this.#open(this.cut(this.gathered), true));
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  #open(chunk: Buffer, isLast: boolean): Buffer {
    const plainBytes = chunk.length - TAG_BYTES;
    if (plainBytes < 0) throw new SealError('the last sealed chunk is cut off');
    const isFirst = this.#counter === 0;
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonceOf(this.#prefix, this.#counter, isLast));
    this.#counter += 1;
    decipher.setAAD(this.#bound);
    decipher.setAuthTag(chunk.subarray(plainBytes));
    try {
      return Buffer.concat([decipher.update(chunk.subarray(0, plainBytes)), decipher.final()]);
    } catch {
      throw new SealError(
        isFirst ? 'the passphrase is not the one of this backup' : `the sealed chunk ${this.#counter} was changed`,
      );
    }
  }
}
