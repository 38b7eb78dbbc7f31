import { isUtf8 } from 'node:buffer';

/** Why the bytes of a connection are not taken; becomes the label of a counter. */
export type Refusal =
  | 'no-connect'
  | 'connect-too-long'
  | 'protocol-version'
  | 'protocol-error'
  | 'packet-too-long'
  | 'topic-forbidden';

/** What a client sent that ends its connection. `answer` is told to it before. */
export class RefusedBytes extends Error {
  override name = 'RefusedBytes';
  readonly refusal: Refusal;
  readonly answer: Buffer | undefined;

  constructor(refusal: Refusal, answer?: Buffer) {
    super(refusal);
    this.refusal = refusal;
    this.answer = answer;
  }
}

export const CONNECT = 1;
export const PUBLISH = 3;
const PUBACK = 4;
const PUBREC = 5;
const PUBREL = 6;
const PUBCOMP = 7;
const SUBSCRIBE = 8;
const UNSUBSCRIBE = 10;
const PINGREQ = 12;
const DISCONNECT = 14;

/** Flags that the first byte of each type must have; types that are not here no client may send. */
const FLAGS: Readonly<Record<number, number>> = {
  [PUBACK]: 0,
  [PUBREC]: 0,
  [PUBREL]: 2,
  [PUBCOMP]: 0,
  [SUBSCRIBE]: 2,
  [UNSUBSCRIBE]: 2,
  [PINGREQ]: 0,
  [DISCONNECT]: 0,
};
const MOST_FILTERS_AT_ONCE = 1_000;

/** A broker that forwards for its clients sets this bit of the protocol level, as Mosquitto does. It may what any client may. */
const BRIDGE = 0x80;

const ZERO = 0x00;
const PLUS = 0x2b;
const HASH = 0x23;

/** CONNACK of MQTT 5, "unsupported protocol version"; a client of MQTT 5 understands no other. */
const UNSUPPORTED_VERSION_5 = Buffer.from([0x20, 3, 0, 0x84, 0]);
/** CONNACK of MQTT 3.1.1, "unacceptable protocol version". */
const UNACCEPTABLE_VERSION = Buffer.from([0x20, 2, 0, 1]);

export const qosOf = (first: number): number => (first >> 1) & 3;

const malformed = () => new RefusedBytes('protocol-error');

/** Refuses a first byte that no client may send once it is connected. */
export function checkFirstByte(first: number): void {
  const type = first >> 4;
  if (type === PUBLISH ? qosOf(first) > 2 : FLAGS[type] !== (first & 15)) throw malformed();
}

/** Refuses a packet that is not as MQTT 3.1.1 has it. `from` is where its body begins, `to` where it ends. */
export function checkPacket(first: number, bytes: Buffer, from: number, to: number): void {
  const type = first >> 4;
  if (type === PUBLISH) {
    endOfPublishHead(first, bytes, from, to);
    return;
  }
  const length = to - from;
  if (type === PINGREQ || type === DISCONNECT) {
    if (length !== 0) throw malformed();
    return;
  }
  checkMessageId(bytes, from, to);
  if (type === SUBSCRIBE || type === UNSUBSCRIBE) checkFilters(type, bytes, from + 2, to);
  else if (length !== 2) throw malformed();
}

/** Checks topic and message id of a PUBLISH and says where its payload begins. */
export function endOfPublishHead(first: number, bytes: Buffer, from: number, to: number): number {
  const end = endOfString(bytes, from, to);
  if (end === from + 2 || hasWildcard(bytes, from + 2, end)) throw malformed();
  if (qosOf(first) === 0) return end;
  checkMessageId(bytes, end, to);
  return end + 2;
}

/** Checks a whole CONNECT, whose body is `bytes`. */
export function checkConnect(bytes: Buffer): void {
  const nameEnd = endOfString(bytes, 0, bytes.length);
  const name = bytes.toString('latin1', 2, nameEnd);
  if (name !== 'MQTT' && name !== 'MQIsdp') throw malformed();
  let at = nameEnd + 4;
  if (at > bytes.length) throw malformed();
  const version = (bytes[nameEnd] ?? 0) & ~BRIDGE;
  if (version === 5) throw new RefusedBytes('protocol-version', UNSUPPORTED_VERSION_5);
  if (version !== 3 && version !== 4) throw new RefusedBytes('protocol-version', UNACCEPTABLE_VERSION);
  const flags = bytes[nameEnd + 1] ?? 0;
  const hasWill = (flags & 4) !== 0;
  const hasUser = (flags & 128) !== 0;
  const hasPassword = (flags & 64) !== 0;
  const willQos = (flags >> 3) & 3;
  if ((flags & 1) !== 0 || willQos > 2 || (!hasWill && (flags & 56) !== 0) || (hasPassword && !hasUser)) {
    throw malformed();
  }
  at = endOfString(bytes, at, bytes.length);
  if (hasWill) {
    const topicEnd = endOfString(bytes, at, bytes.length);
    if (topicEnd === at + 2 || hasWildcard(bytes, at + 2, topicEnd)) throw malformed();
    at = endOfField(bytes, topicEnd, bytes.length);
  }
  if (hasUser) at = endOfString(bytes, at, bytes.length);
  if (hasPassword) at = endOfField(bytes, at, bytes.length);
  if (at !== bytes.length) throw malformed();
}

function checkFilters(type: number, bytes: Buffer, from: number, to: number): void {
  let at = from;
  let count = 0;
  while (at < to) {
    const end = endOfString(bytes, at, to);
    count += 1;
    if (end === at + 2 || count > MOST_FILTERS_AT_ONCE) throw malformed();
    at = end;
    if (type === SUBSCRIBE) {
      if (at >= to || (bytes[at] ?? 0) > 2) throw malformed();
      at += 1;
    }
  }
  if (count === 0) throw malformed();
}

function checkMessageId(bytes: Buffer, from: number, to: number): void {
  if (from + 2 > to || bytes.readUInt16BE(from) === 0) throw malformed();
}

/** Where a field with its length in front ends. */
function endOfField(bytes: Buffer, from: number, to: number): number {
  if (from + 2 > to) throw malformed();
  const end = from + 2 + bytes.readUInt16BE(from);
  if (end > to) throw malformed();
  return end;
}

/** Where a text ends; it must be UTF-8 without U+0000. */
function endOfString(bytes: Buffer, from: number, to: number): number {
  const end = endOfField(bytes, from, to);
  let isAscii = true;
  for (let at = from + 2; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === ZERO) throw malformed();
    if (byte > 127) isAscii = false;
  }
  if (!isAscii && !isUtf8(bytes.subarray(from + 2, end))) throw malformed();
  return end;
}

function hasWildcard(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] === PLUS || bytes[at] === HASH) return true;
  return false;
}
