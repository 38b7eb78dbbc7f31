import type { KindLayout } from '../sessions/kinds.ts';
import type { Sample } from './sample.ts';

const FIRST_BYTES = 64 * 1024;
const TWO_POW_32 = 4_294_967_296;

/** Writes samples of one kind as RowBinary rows into a buffer that grows and is used again. */
export class RowEncoder {
  readonly #layout: KindLayout;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #view = new DataView(this.#buffer.buffer);
  #length = 0;

  constructor(layout: KindLayout) {
    this.#layout = layout;
  }

  reset(): void {
    this.#length = 0;
  }

  /** The rows so far. Valid until the next `add` after `reset`. */
  body(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  add(sample: Sample): void {
    const { emptyRow, offsets, isDouble, textNames } = this.#layout;
    const start = this.#length;
    this.#reserve(emptyRow.length + 16);
    const view = this.#view;
    this.#buffer.set(emptyRow, start);
    view.setUint32(start, sample.device.key, true);
    setInt64(view, start + 4, sample.tsMs);
    setInt64(view, start + 12, sample.receivedMs);
    view.setUint8(start + 20, sample.flags);
    const { values } = sample;
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] as number;
      if (Number.isNaN(value)) continue;
      if (isDouble[index] === true) view.setFloat64(start + (offsets[index] as number), value, true);
      else view.setFloat32(start + (offsets[index] as number), value, true);
    }
    this.#length = start + emptyRow.length;
    for (let index = 0; index < textNames.length; index += 1) this.#addText(sample.texts?.[index] ?? '');
    const { other } = sample;
    if (other === undefined) this.#addVarint(0);
    else {
      this.#addVarint(other.length >> 1);
      for (const text of other) this.#addText(text);
    }
  }

  #addText(text: string) {
    if (text === '') return this.#addVarint(0);
    const bytes = Buffer.byteLength(text);
    this.#addVarint(bytes);
    this.#reserve(bytes);
    this.#buffer.write(text, this.#length, bytes, 'utf8');
    this.#length += bytes;
  }

  #addVarint(value: number) {
    this.#reserve(5);
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#length] = (rest & 0x7f) | 0x80;
      this.#length += 1;
      rest >>>= 7;
    }
    this.#buffer[this.#length] = rest;
    this.#length += 1;
  }

  #reserve(bytes: number) {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const next = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(next, 0, 0, this.#length);
    this.#buffer = next;
    this.#view = new DataView(next.buffer);
  }
}

function setInt64(view: DataView, offset: number, value: number): void {
  const high = Math.floor(value / TWO_POW_32);
  view.setUint32(offset, value - high * TWO_POW_32, true);
  view.setInt32(offset + 4, high, true);
}
