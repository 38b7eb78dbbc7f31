import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { keyOf, newSealing, Opener, parseSealing, SealError, Sealer, type Sealing } from './sealed.ts';

/**
 * One file: a frame that says what it is (JSON), the archive packed by Zstandard and sealed if there is a passphrase, and a
 * frame with the SHA-256 of all before it. Both frames are of the kind that Zstandard skips: where nothing is sealed,
 * `zstd -dc FILE | tar -t` reads it as well.
 */

export interface BackupHeader {
  readonly format: 'sonnenwarte-backup';
  readonly version: 1;
  readonly madeAt: string;
  readonly sealing: Sealing | null;
}

/** The file is not what was once written: cut off, altered, of another kind; or the passphrase is another. The message says which. */
export class DamagedBackupError extends Error {
  override name = 'DamagedBackupError';
}

const SKIPPED_FRAME = 0x184d2a50;
const FRAME_HEAD_BYTES = 8;
const LONGEST_HEADER_BYTES = 64 * 1024;
const HASH_BYTES = 32;
const END_MARK = Buffer.from('SONNENWARTE END\n');
const TRAILER_BYTES = FRAME_HEAD_BYTES + END_MARK.length + HASH_BYTES;
const PIECE_BYTES = 256 * 1024;

function frameOf(content: Buffer): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUInt32LE(SKIPPED_FRAME, 0);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

export interface WrittenBackup {
  readonly bytes: number;
  readonly sha256: string;
}

/** Writes the archive into a new file beside its final name, which it gets only once all of it is on the disk. */
export async function writeBackup(
  file: string,
  archive: AsyncIterable<Buffer>,
  options: { passphrase?: string | undefined; madeAt: Date; signal: AbortSignal },
): Promise<WrittenBackup> {
  const sealing = options.passphrase === undefined ? null : newSealing();
  const header: BackupHeader = {
    format: 'sonnenwarte-backup',
    version: 1,
    madeAt: options.madeAt.toISOString(),
    sealing,
  };
  const first = frameOf(Buffer.from(JSON.stringify(header)));
  const packing = { chunkSize: PIECE_BYTES, params: { [constants.ZSTD_c_checksumFlag]: 1 } };
  const steps: Transform[] = [createZstdCompress(packing)];
  if (sealing !== null) steps.push(new Sealer(await keyOf(options.passphrase ?? '', sealing), sealing, first));
  const draft = `${file}.partial`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    const out = new HashedFile(handle);
    await out.write(first);
    for await (const part of through(archive, steps)) {
      options.signal.throwIfAborted();
      await out.write(part);
    }
    const { sha256, bytes } = await out.end();
    await handle.sync();
    await handle.close();
    await rename(draft, file);
    await syncFolder(dirname(file));
    return { bytes, sha256 };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

class HashedFile {
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  bytes = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(part: Buffer): Promise<void> {
    this.#hash.update(part);
    await this.#put(part);
  }

  async end(): Promise<WrittenBackup> {
    const sha256 = this.#hash.digest();
    await this.#put(frameOf(Buffer.concat([END_MARK, sha256])));
    return { bytes: this.bytes, sha256: sha256.toString('hex') };
  }

  async #put(part: Buffer): Promise<void> {
    for (let at = 0; at < part.length; ) at += (await this.#handle.write(part, at)).bytesWritten;
    this.bytes += part.length;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().catch(() => undefined);
  await handle.close();
}

export interface OpenBackup {
  readonly file: string;
  readonly header: BackupHeader;
  readonly bytes: number;
  /** SHA-256 of all before the last frame, as that frame tells it. */
  readonly sha256: string;
  /** Reads all of it and compares; throws DamagedBackupError. */
  verifyBytes(read: (bytes: number) => void): Promise<void>;
  /** The archive as it was written. */
  archive(read: (bytes: number) => void): AsyncIterable<Buffer>;
}

/** Opens a backup. Throws DamagedBackupError where it is none, or no whole one. */
export async function openBackup(file: string, passphrase: string | undefined): Promise<OpenBackup> {
  const { size } = await stat(file);
  const handle = await open(file, 'r');
  try {
    const { header, frame } = await readHeader(handle, size);
    const trailer = await readAt(handle, Math.max(0, size - TRAILER_BYTES), TRAILER_BYTES);
    const end = frameOf(Buffer.concat([END_MARK, Buffer.alloc(HASH_BYTES)])).subarray(0, TRAILER_BYTES - HASH_BYTES);
    if (size < frame.length + TRAILER_BYTES || !trailer.subarray(0, end.length).equals(end)) {
      throw new DamagedBackupError('It is cut off: its end is missing.');
    }
    const { sealing } = header;
    if (sealing !== null && passphrase === undefined) {
      throw new DamagedBackupError('It is encrypted. Give its passphrase by BACKUP_PASSPHRASE or --passphrase-file.');
    }
    const key = sealing === null ? undefined : await keyOf(passphrase ?? '', sealing);
    const sha256 = trailer.subarray(end.length);
    return {
      file,
      header,
      bytes: size,
      sha256: sha256.toString('hex'),
      async verifyBytes(read) {
        const hash = createHash('sha256');
        for await (const part of partsOf(file, 0, size - TRAILER_BYTES)) {
          hash.update(part);
          read(part.length);
        }
        if (!hash.digest().equals(sha256)) {
          throw new DamagedBackupError('It was altered or damaged: its checksum (SHA-256) does not fit its content.');
        }
      },
      archive: (read) =>
        unpacked(countedParts(file, frame.length, size - TRAILER_BYTES, read), { sealing, key, frame }),
    };
  } finally {
    await handle.close();
  }
}

async function readHeader(handle: FileHandle, size: number): Promise<{ header: BackupHeader; frame: Buffer }> {
  const none = new DamagedBackupError('It is no backup of Sonnenwarte, or its beginning is damaged.');
  const head = await readAt(handle, 0, FRAME_HEAD_BYTES);
  if (head.length < FRAME_HEAD_BYTES || head.readUInt32LE(0) !== SKIPPED_FRAME) throw none;
  const length = head.readUInt32LE(4);
  if (length > LONGEST_HEADER_BYTES || length + FRAME_HEAD_BYTES > size) throw none;
  const content = await readAt(handle, FRAME_HEAD_BYTES, length);
  const value = parseJson(content.toString('utf8'));
  if (value?.format !== 'sonnenwarte-backup' || typeof value.madeAt !== 'string') throw none;
  if (value.version !== 1) throw new DamagedBackupError('It was made by a newer version of Sonnenwarte: use that one.');
  const sealing = value.sealing === null ? null : parseSealing(value.sealing);
  if (sealing === undefined) throw none;
  const header = { format: 'sonnenwarte-backup', version: 1, madeAt: value.madeAt, sealing } as const;
  return { header, frame: frameOf(content) };
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

const partsOf = (file: string, start: number, end: number): AsyncIterable<Buffer> =>
  createReadStream(file, { start, end: end - 1, highWaterMark: PIECE_BYTES });

async function* countedParts(file: string, start: number, end: number, read: (bytes: number) => void) {
  for await (const part of partsOf(file, start, end)) {
    read(part.length);
    yield part;
  }
}

/** What comes out of the last step. What fails on the way destroys all steps, and is thrown to whoever reads here. */
function through(source: AsyncIterable<Buffer>, steps: readonly Transform[]): AsyncIterable<Buffer> {
  pipeline([Readable.from(source, { objectMode: false, highWaterMark: PIECE_BYTES }), ...steps], () => undefined);
  const last = steps.at(-1);
  if (last === undefined) throw new Error('there is no step');
  return last;
}

async function* unpacked(
  packed: AsyncIterable<Buffer>,
  { sealing, key, frame }: { sealing: Sealing | null; key: Buffer | undefined; frame: Buffer },
): AsyncGenerator<Buffer> {
  const steps: Transform[] = sealing === null || key === undefined ? [] : [new Opener(key, sealing, frame)];
  try {
    yield* through(packed, [...steps, createZstdDecompress({ chunkSize: PIECE_BYTES })]);
  } catch (error) {
    if (error instanceof SealError) throw new DamagedBackupError(`It cannot be opened: ${error.message}.`);
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('ZSTD') === true || code?.startsWith('ERR_ZSTD') === true || code === 'Z_BUF_ERROR') {
      throw new DamagedBackupError('It cannot be unpacked: its content is damaged.');
    }
    throw error;
  }
}
