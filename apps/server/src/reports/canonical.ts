import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { ReportSource, ReportWay, RowQuality } from '@sonnenwarte/contract/reports/report';
import { Turns } from '../turns.ts';

/** A column of a report. */
export interface ReportColumn {
  /** Kind of device, or `plant`. */
  readonly of: string;
  readonly variable: string;
  readonly unit: string;
  readonly way: ReportWay;
}

/** A device or a plant in a report: a sheet. */
export interface ReportPart {
  /** Serial number of a device, name of a plant. */
  readonly name: string;
  readonly plantName: string;
  readonly timeZone: string;
  /** Places of its columns. */
  readonly columns: readonly number[];
}

export interface ReportHead {
  readonly version: 1;
  readonly source: ReportSource;
  readonly columns: readonly ReportColumn[];
  readonly parts: readonly ReportPart[];
}

/** Values of a part in the order of its columns; empty where nothing is known. */
export interface ReportLine {
  readonly tsMs: number;
  readonly quality: RowQuality;
  readonly values: readonly (number | null)[];
}

type Stored = [part: number, tsMs: number, quality: RowQuality, ...values: (number | null)[]];

const CHUNK_CHARACTERS = 65_536;
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** The report would be larger than may be kept. */
export class TooLargeError extends Error {
  override name = 'TooLargeError';
}

/** Writes the rows of a report part by part, once, packed; all files are made of them. Resolves with how much it is before it is packed. */
export async function writeRows(
  path: string,
  head: ReportHead,
  rows: AsyncIterable<{ readonly part: number; readonly lines: readonly ReportLine[] }>,
  most: { readonly values: number; readonly bytes: number },
  signal: AbortSignal,
): Promise<{ rows: number; characters: number }> {
  let count = 0;
  let values = 0;
  let bytes = 0;
  let characters = 0;
  async function* texts(): AsyncGenerator<string> {
    const turns = new Turns();
    let text = `${JSON.stringify(head)}\n`;
    for await (const { part, lines } of rows)
      for (const { tsMs, quality, values: told } of lines) {
        const stored: Stored = [part, tsMs, quality, ...told];
        const stringified = `${JSON.stringify(stored)}\n`;
        text += stringified;
        characters += stringified.length;
        count += 1;
        values += told.length;
        if (values > most.values || bytes > most.bytes) throw new TooLargeError();
        if (turns.isOver) await turns.giveBack();
        if (text.length < CHUNK_CHARACTERS) continue;
        yield text;
        text = '';
      }
    yield text;
  }
  async function* counted(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of packed) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  await pipeline(
    Readable.from(texts(), { objectMode: false }),
    createZstdCompress(packing),
    counted,
    createWriteStream(path, { mode: 0o600 }),
    { signal },
  );
  return { rows: count, characters };
}

/** What is read of a report: its head, then its rows in order. */
export interface ReadRows {
  readonly head: ReportHead;
  readonly rows: AsyncIterableIterator<{ readonly part: number; readonly line: ReportLine }>;
  /** Ends the reading early. */
  close(): void;
}

/** Reads rows that were written, a piece at a time. */
export async function readRowsOf(packed: Readable): Promise<ReadRows> {
  const plain = createZstdDecompress();
  packed.on('error', (error) => plain.destroy(error));
  packed.pipe(plain);
  const close = () => {
    packed.destroy();
    plain.destroy();
  };
  const pieces = linesOf(plain);
  const first = await pieces.next();
  if (first.done === true) throw new Error('a report without a head');
  const [head = '', ...begun] = first.value;
  async function* rows() {
    const turns = new Turns();
    try {
      for (let lines = begun; ; ) {
        for (const text of lines) {
          const [part, tsMs, quality, ...values] = JSON.parse(text) as Stored;
          if (turns.isOver) await turns.giveBack();
          yield { part, line: { tsMs, quality, values } };
        }
        const next = await pieces.next();
        if (next.done === true) return;
        lines = next.value;
      }
    } finally {
      close();
    }
  }
  return { head: JSON.parse(head) as ReportHead, rows: rows(), close };
}

/** Whole lines of a text, as many as have come; none is lost at the edge of a piece. */
async function* linesOf(plain: Readable): AsyncGenerator<string[]> {
  plain.setEncoding('utf8');
  let rest = '';
  for await (const piece of plain as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
}
