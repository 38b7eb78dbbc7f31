/** Numbers of a reading by metric name. */
export type Values = Readonly<Record<string, number>>;

const DOUBLE = 10;
const UINT64 = 8;
const STRING = 12;

function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

const numberField = (field: number, value: number | bigint): Buffer =>
  Buffer.concat([varint(field << 3), varint(value)]);

const bytesField = (field: number, value: Buffer): Buffer =>
  Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);

const textField = (field: number, value: string): Buffer => bytesField(field, Buffer.from(value));

function doubleField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([varint((field << 3) | 1), bytes]);
}

const metric = (name: string, tsMs: number, datatype: number, value: Buffer, historical = false): Buffer =>
  Buffer.concat([
    textField(1, name),
    numberField(3, tsMs),
    numberField(4, datatype),
    ...(historical ? [numberField(5, 1)] : []),
    value,
  ]);

const payload = (tsMs: number, seq: number | undefined, metrics: readonly Buffer[]): Buffer =>
  Buffer.concat([
    numberField(1, tsMs),
    ...metrics.map((each) => bytesField(2, each)),
    ...(seq === undefined ? [] : [numberField(3, seq)]),
  ]);

/** The will of a connection, and the metric that ties it to its birth. */
export const nodeDeath = (bdSeq: number): Buffer =>
  payload(Date.now(), undefined, [metric('bdSeq', Date.now(), UINT64, numberField(11, bdSeq))]);

export const nodeBirth = (bdSeq: number): Buffer =>
  payload(Date.now(), 0, [metric('bdSeq', Date.now(), UINT64, numberField(11, bdSeq))]);

export const deviceBirth = (seq: number, kind: string, values: Values): Buffer =>
  payload(Date.now(), seq, [
    metric('Properties/Kind', Date.now(), STRING, textField(15, kind)),
    ...Object.entries(values).map(([name, value]) => metric(name, Date.now(), DOUBLE, doubleField(13, value))),
  ]);

/** A stored reading of `tsMs`, sent afterwards. */
export const storedReading = (seq: number, tsMs: number, values: Values): Buffer =>
  payload(
    Date.now(),
    seq,
    Object.entries(values).map(([name, value]) => metric(name, tsMs, DOUBLE, doubleField(13, value), true)),
  );
