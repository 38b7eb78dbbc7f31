import { BESIDE, markBytes, stepsOf } from '../../stores/raw-numbers.ts';
import type { KindLayout } from '../sessions/kinds.ts';
import type { Sample } from './sample.ts';

const FIRST_BYTES = 64 * 1024;
const TWO_POW_32 = 4_294_967_296;
const BESIDE_32 = markBytes('Float32', BESIDE);
const BESIDE_64 = markBytes('Float64', BESIDE);

/** Writes samples of one kind as RowBinary rows into a buffer that grows and is used again. */
export class RowEncoder {
  readonly #layout: KindLayout;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #view = new DataView(this.#buffer.buffer);
  #length = 0;
  readonly #beside: number[] = [];

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
    const { emptyRow, offsets, isDouble, steps, textNames } = this.#layout;
    const start = this.#length;
    this.#reserve(emptyRow.length + 16);
    const view = this.#view;
    this.#buffer.set(emptyRow, start);
    view.setUint32(start, sample.device.key, true);
    setInt64(view, start + 4, sample.tsMs);
    setInt64(view, start + 12, sample.receivedMs);
    view.setUint8(start + 20, sample.flags);
    const { values } = sample;
    const beside = this.#beside;
    beside.length = 0;
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] as number;
      if (Number.isNaN(value)) continue;
      const at = start + (offsets[index] as number);
      if (isDouble[index] === true) {
        const whole = stepsOf(value, steps[index] as number, true);
        if (whole !== undefined) setInt64(view, at, whole);
        else {
          this.#buffer.set(BESIDE_64, at);
          beside.push(index);
        }
      } else {
        const whole = stepsOf(value, steps[index] as number, false);
        if (whole !== undefined) view.setInt32(at, whole, true);
        else {
          this.#buffer.set(BESIDE_32, at);
          beside.push(index);
        }
      }
    }
    this.#length = start + emptyRow.length;
    for (let index = 0; index < textNames.length; index += 1) this.#addText(sample.texts?.[index] ?? '');
    const { other } = sample;
    if (other === undefined) this.#addVarint(0);
    else {
      this.#addVarint(other.length >> 1);
      for (const text of other) this.#addText(text);
    }
    this.#addBeside(values);
  }

  /** What is no whole number of steps, exactly. */
  #addBeside(values: readonly number[]) {
    const { besideIds, isDouble } = this.#layout;
    this.#addVarint(this.#beside.length);
    this.#reserve(12 * this.#beside.length);
    for (const index of this.#beside) {
      const value = values[index] as number;
      this.#view.setUint32(this.#length, besideIds[index] as number, true);
      this.#view.setFloat64(this.#length + 4, isDouble[index] === true ? value : Math.fround(value), true);
      this.#length += 12;
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
