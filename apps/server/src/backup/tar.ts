import { Buffer } from 'node:buffer';

/** The POSIX tape archive (pax), as far as a backup needs it: files, folders and symbolic links of any length of name and size. */

export const BLOCK_BYTES = 512;
const LONGEST_NAME_BYTES = 100;
const LARGEST_PLAIN_BYTES = 0o77777777777;
const LONGEST_PAX_BYTES = 64 * 1024;

export type EntryKind = 'file' | 'folder' | 'link';

export interface TarEntry {
  readonly kind: EntryKind;
  /** Relative, with slashes. */
  readonly name: string;
  readonly mode: number;
  readonly bytes: number;
  readonly modifiedS: number;
  /** Where a link leads, relative to its folder. */
  readonly target?: string;
}

/** What was read is no archive of this kind. */
export class TarError extends Error {
  override name = 'TarError';
}

const flags = { file: '0', link: '2', folder: '5' } as const satisfies Record<EntryKind, string>;
const PAX = 'x';

/** The blocks before the content of an entry. */
export function tarHeader(entry: TarEntry): Buffer {
  const records: [string, string][] = [];
  const { name, target = '', bytes } = entry;
  if (Buffer.byteLength(name) > LONGEST_NAME_BYTES) records.push(['path', name]);
  if (Buffer.byteLength(target) > LONGEST_NAME_BYTES) records.push(['linkpath', target]);
  if (bytes > LARGEST_PLAIN_BYTES) records.push(['size', String(bytes)]);
  const own = headerBlock(entry, flags[entry.kind]);
  if (records.length === 0) return own;
  const body = Buffer.from(records.map(([key, value]) => paxRecord(key, value)).join(''));
  const before = headerBlock({ ...entry, name: 'PaxHeader', target: '', bytes: body.length, mode: 0o600 }, PAX);
  return Buffer.concat([before, body, padding(body.length), own]);
}

/** The zeros that fill up the last block of a content. */
export const padding = (bytes: number): Buffer => Buffer.alloc((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES);

export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK_BYTES);

function headerBlock(entry: Omit<TarEntry, 'kind'>, flag: string): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const number = (value: number, at: number, digits: number) =>
    block.write(value.toString(8).padStart(digits, '0'), at, digits, 'ascii');
  block.set(Buffer.from(entry.name).subarray(0, LONGEST_NAME_BYTES), 0);
  number(entry.mode & 0o7777, 100, 7);
  number(0, 108, 7);
  number(0, 116, 7);
  number(entry.bytes > LARGEST_PLAIN_BYTES ? 0 : entry.bytes, 124, 11);
  number(Math.max(0, Math.floor(entry.modifiedS)), 136, 11);
  block.write(' '.repeat(8), 148, 'ascii');
  block.write(flag, 156, 'ascii');
  block.set(Buffer.from(entry.target ?? '').subarray(0, LONGEST_NAME_BYTES), 157);
  block.write('ustar\u000000', 257, 'ascii');
  number(sumOf(block), 148, 6);
  block.write('\u0000 ', 154, 'ascii');
  return block;
}

const sumOf = (block: Buffer): number => block.reduce((sum, byte) => sum + byte, 0);

/** `<length> <key>=<value>\n`, where the length counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

export interface ReadEntry extends TarEntry {
  /** To be read to its end before the next entry is asked for. */
  readonly content: AsyncIterable<Buffer>;
}

/** Reads the entries one after the other; throws TarError at whatever is not an archive as it is written here. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<ReadEntry> {
  const input = new Input(source);
  let pax = new Map<string, string>();
  for (;;) {
    const block = await input.take(BLOCK_BYTES);
    if (block.every((byte) => byte === 0)) {
      if (!(await input.take(BLOCK_BYTES)).every((byte) => byte === 0) || !(await input.isAtEnd())) {
        throw new TarError('there is something behind the end of the archive');
      }
      return;
    }
    const { flag, ...plain } = parseBlock(block);
    if (flag === PAX) {
      if (plain.bytes > LONGEST_PAX_BYTES) throw new TarError('a header of an entry is too long');
      pax = parsePax(await input.take(plain.bytes));
      await input.take(padding(plain.bytes).length);
      continue;
    }
    const kind = (Object.keys(flags) as EntryKind[]).find((each) => flags[each] === flag);
    if (kind === undefined) throw new TarError(`an entry is of the unknown kind "${flag}"`);
    const bytes = Number(pax.get('size') ?? plain.bytes);
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new TarError('the size of an entry is no number');
    const target = pax.get('linkpath') ?? plain.target;
    const content = input.content(bytes);
    yield {
      kind,
      name: pax.get('path') ?? plain.name,
      mode: plain.mode,
      modifiedS: plain.modifiedS,
      bytes,
      content,
      ...(kind === 'link' && { target }),
    };
    for await (const _rest of content);
    await input.take(padding(bytes).length);
    pax = new Map();
  }
}

function parseBlock(block: Buffer) {
  const text = (at: number, bytes: number): string => {
    const field = block.subarray(at, at + bytes);
    const end = field.indexOf(0);
    return field.toString('utf8', 0, end === -1 ? bytes : end);
  };
  const number = (at: number, bytes: number): number => {
    const digits = text(at, bytes).trim();
    if (!/^[0-7]+$/.test(digits)) throw new TarError('a header of an entry is damaged');
    return Number.parseInt(digits, 8);
  };
  const sum = number(148, 8);
  const blank = Buffer.from(block);
  blank.fill(' ', 148, 156);
  if (sumOf(blank) !== sum) throw new TarError('a header of an entry is damaged');
  return {
    name: text(0, 100),
    mode: number(100, 8),
    bytes: number(124, 12),
    modifiedS: number(136, 12),
    flag: text(156, 1),
    target: text(157, 100),
  };
}

function parsePax(body: Buffer): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(' ', at);
    const length = Number(body.toString('ascii', at, space));
    const record = body.toString('utf8', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    if (!(length > 0) || space === -1 || equals === -1) throw new TarError('a header of an entry is damaged');
    found.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return found;
}

/** Takes bytes from pieces of any length. */
class Input {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.content(bytes)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *content(bytes: number): AsyncGenerator<Buffer> {
    for (let missing = bytes; missing > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new TarError('the archive ends in the middle');
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
      yield part;
    }
  }

  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#more());
  }

  async #more(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#source.next();
      if (done === true) return false;
      if (value.length === 0) continue;
      this.#rest = value;
      return true;
    }
  }
}
