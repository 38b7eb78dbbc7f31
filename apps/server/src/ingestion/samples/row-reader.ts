import type { ClickHouseClient } from '@clickhouse/client';
import { partsOf } from '../../in-slices.ts';
import { Turns } from '../../turns.ts';

/** Reads RowBinary answers without an object per row. */
export class RowReader {
  readonly #buffer: Buffer;
  readonly #view: DataView;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
    this.#view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  }

  get hasMore(): boolean {
    return this.#at < this.#buffer.length;
  }

  uint8(): number {
    this.#at += 1;
    return this.#view.getUint8(this.#at - 1);
  }

  uint16(): number {
    this.#at += 2;
    return this.#view.getUint16(this.#at - 2, true);
  }

  uint32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  int32(): number {
    this.#at += 4;
    return this.#view.getInt32(this.#at - 4, true);
  }

  int64(): number {
    this.#at += 8;
    return this.#view.getInt32(this.#at - 4, true) * 4_294_967_296 + this.#view.getUint32(this.#at - 8, true);
  }

  float32(): number {
    this.#at += 4;
    return this.#view.getFloat32(this.#at - 4, true);
  }

  float64(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  /** The next bytes as they are. */
  bytes(length: number): Buffer {
    this.#at += length;
    return this.#buffer.subarray(this.#at - length, this.#at);
  }

  text(): string {
    const length = this.varint();
    this.#at += length;
    return this.#buffer.toString('utf8', this.#at - length, this.#at);
  }

  varint(): number {
    let value = 0;
    let shift = 1;
    for (;;) {
      const byte = this.uint8();
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
      shift *= 128;
    }
  }
}

/** Runs a query and hands its answer to a reader. The query names no format. */
export async function readRows(client: ClickHouseClient, query: string): Promise<RowReader> {
  const { stream } = await client.exec({ query: `${query} FORMAT RowBinary` });
  const parts: Buffer[] = [];
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  return new RowReader(Buffer.concat(parts));
}

/** For work that nobody waits for: it leaves the other processors to who asks. */
export const ONE_THREAD = 'SETTINGS max_threads = 1';

/** Keys that one query names: its text stays far below the 262,144 bytes that the engine reads. */
export const MOST_KEYS_ASKED = 2_000;

/** Runs a query over many keys, so many at a time, and hands each row of the answers to `take`, in turns with everything else. */
export async function eachRowOf(
  client: ClickHouseClient,
  keys: readonly number[],
  query: (keys: string) => string,
  take: (rows: RowReader) => void,
): Promise<void> {
  const turns = new Turns();
  for (const part of partsOf(keys, MOST_KEYS_ASKED)) {
    const rows = await readRows(client, query(part.join(',')));
    while (rows.hasMore) {
      take(rows);
      if (turns.isOver) await turns.giveBack();
    }
  }
}
