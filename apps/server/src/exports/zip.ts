import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipFile {
  readonly name: string;
  readonly content: AsyncIterable<string> | Iterable<string>;
}

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly plainBytes: number;
}

/** Sizes follow the content, names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
/** 1980-01-01, the zero of the format's clock: the same rows give the same bytes. */
const DOS_DATE = 0x0021;

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(DOS_DATE, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function descriptor({ crc, packedBytes, plainBytes }: Omit<Entry, 'name' | 'offset'>): Buffer {
  const after = Buffer.alloc(16);
  after.writeUInt32LE(0x08074b50, 0);
  after.writeUInt32LE(crc, 4);
  after.writeUInt32LE(packedBytes, 8);
  after.writeUInt32LE(plainBytes, 12);
  return after;
}

function directoryHeader({ name, offset, crc, packedBytes, plainBytes }: Entry): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(VERSION, 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt16LE(DEFLATED, 10);
  header.writeUInt16LE(DOS_DATE, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(packedBytes, 20);
  header.writeUInt32LE(plainBytes, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name]);
}

function endOfDirectory(entries: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** A ZIP archive (below 4 GiB) whose files are packed while they are made, so that no file is ever held as a whole. */
export async function* zipOf(files: readonly ZipFile[]): AsyncGenerator<Buffer> {
  const entries: Entry[] = [];
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.name);
    const start = offset;
    const head = localHeader(name);
    yield head;
    offset += head.length;
    let crc = 0;
    let plainBytes = 0;
    let packedBytes = 0;
    const plain = Readable.from(
      (async function* () {
        for await (const text of file.content) {
          const bytes = Buffer.from(text);
          crc = crc32(bytes, crc);
          plainBytes += bytes.length;
          yield bytes;
        }
      })(),
    );
    const packed = createDeflateRaw();
    plain.on('error', (error) => packed.destroy(error));
    plain.pipe(packed);
    try {
      for await (const bytes of packed as AsyncIterable<Buffer>) {
        packedBytes += bytes.length;
        yield bytes;
      }
    } finally {
      plain.destroy();
    }
    const entry = { name, offset: start, crc, packedBytes, plainBytes };
    entries.push(entry);
    yield descriptor(entry);
    offset += packedBytes + 16;
  }
  const directory = Buffer.concat(entries.map(directoryHeader));
  yield directory;
  yield endOfDirectory(entries.length, directory.length, offset);
}
