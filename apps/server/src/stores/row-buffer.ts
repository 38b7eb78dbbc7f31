const TWO_POW_32 = 4_294_967_296;

/** Writes RowBinary rows of rollup tables. */
export class RowBuffer {
  #buffer: Buffer<ArrayBuffer>;
  #view: DataView;
  #length = 0;
  rows = 0;

  constructor(firstBytes = 16 * 1024) {
    this.#buffer = Buffer.allocUnsafeSlow(firstBytes);
    this.#view = new DataView(this.#buffer.buffer);
  }

  body(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  uint8(value: number): void {
    const at = this.#take(1);
    this.#view.setUint8(at, value);
  }

  uint16(value: number): void {
    const at = this.#take(2);
    this.#view.setUint16(at, value, true);
  }

  uint32(value: number): void {
    const at = this.#take(4);
    this.#view.setUint32(at, value, true);
  }

  int64(value: number): void {
    const at = this.#take(8);
    const high = Math.floor(value / TWO_POW_32);
    this.#view.setUint32(at, value - high * TWO_POW_32, true);
    this.#view.setInt32(at + 4, high, true);
  }

  bigint(value: bigint): void {
    const at = this.#take(8);
    this.#view.setBigInt64(at, value, true);
  }

  float32(value: number | undefined): void {
    const at = this.#take(4);
    this.#view.setFloat32(at, value ?? Number.NaN, true);
  }

  float64(value: number | undefined): void {
    const at = this.#take(8);
    this.#view.setFloat64(at, value ?? Number.NaN, true);
  }

  text(value: string): void {
    const bytes = Buffer.byteLength(value);
    let rest = bytes;
    for (; rest >= 0x80; rest >>>= 7) this.uint8((rest & 0x7f) | 0x80);
    this.uint8(rest);
    const at = this.#take(bytes);
    this.#buffer.write(value, at, bytes, 'utf8');
  }

  /** Called before `#view` is named: growing replaces it. */
  #take(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    if (this.#length > this.#buffer.length) {
      const next = Buffer.allocUnsafeSlow(Math.max(this.#length, 2 * this.#buffer.length));
      this.#buffer.copy(next, 0, 0, at);
      this.#buffer = next;
      this.#view = new DataView(next.buffer);
    }
    return at;
  }
}

let lastVersion = 0;

/** Microseconds of now, growing with every call. */
export function nextVersion(): number {
  lastVersion = Math.max(lastVersion + 1, Date.now() * 1_000);
  return lastVersion;
}

export function secondsOf(tsMs: number): number {
  return Math.round(tsMs / 1_000);
}

/** Days since 1970 of `YYYY-MM-DD`, as the type Date is stored. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000;
}

export function dayOfNumber(number: number): string {
  return new Date(number * 86_400_000).toISOString().slice(0, 10);
}
