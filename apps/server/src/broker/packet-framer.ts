import { randomUUID } from 'node:crypto';
import {
  CONNECT,
  checkConnect,
  checkFirstByte,
  checkPacket,
  endOfPublishHead,
  PUBLISH,
  qosOf,
  RefusedBytes,
} from './mqtt-bytes.ts';

/** Bytes of a CONNECT: client id, user name, password and will of a datalogger are a fifth of it. */
export const LARGEST_CONNECT_BYTES = 1024;
/** Bytes of what a message carries. */
export const LARGEST_PAYLOAD_BYTES = 256 * 1024;
/** Topic, message id and length of a message. */
export const HEAD_BYTES = 1024;
/**
 * A message between this and what is taken is read to its end, thrown away and acknowledged: sent again, it would be refused again.
 * What announces more ends the connection. No plant has that much to say, and a sender could keep its line busy with it for hours.
 */
export const LARGEST_SKIPPED_BYTES = 16 * 1024 * 1024;

/** Stands in the place of the topic of a message that was too large. Nobody can know it, so nobody can ask for it. */
export const TOO_LARGE_TOPIC = `$too-large/${randomUUID()}`;

const LONGEST_LENGTH_BYTES = 4;
const RETAIN = 1;

export interface Framed {
  /** Whole packets, as they came; one that was too large comes without its payload, under TOO_LARGE_TOPIC. */
  packets(bytes: Buffer): void;
}

/**
 * Finds the packets in the bytes of one connection, wherever these are split. Nothing of a packet is kept before its announced
 * length is judged, and nothing is passed on before it is whole and as MQTT 3.1.1 has it.
 */
export class PacketFramer {
  readonly #framed: Framed;
  #hasConnect = false;
  /** What is there of a packet whose end is missing. */
  #kept: Buffer | undefined;
  #keptLength = 0;
  /** Bytes of the whole packet; 0 while its length is not known. */
  #total = 0;
  /** Bytes that are still thrown away of a message that is too large. */
  #skip = 0;
  #emptied: Buffer | undefined;

  constructor(framed: Framed) {
    this.#framed = framed;
  }

  /** Memory that this connection takes for packets that are not whole. */
  get keptBytes(): number {
    return (this.#kept?.length ?? 0) + (this.#emptied?.length ?? 0);
  }

  /** Whether a CONNECT came, whole and well formed. */
  get hasConnect(): boolean {
    return this.#hasConnect;
  }

  /**
   * Reads from `at` on and says how far it came: to the end, or behind so many packets, or behind the CONNECT.
   * Throws RefusedBytes.
   */
  read(bytes: Buffer, at: number, mostPackets: number): number {
    let next = at;
    let left = mostPackets;
    /** Where the whole packets begin that are not passed on yet. */
    let runFrom = at;
    while (next < bytes.length && left > 0) {
      if (this.#skip > 0 || this.#kept !== undefined) {
        const hadConnect = this.#hasConnect;
        next = this.#goOn(bytes, next);
        runFrom = next;
        if (this.#skip === 0 && this.#kept === undefined) left -= 1;
        if (this.#hasConnect !== hadConnect) return next;
        continue;
      }
      const bodyAt = this.#bodyOf(bytes, next, bytes.length);
      const end = bodyAt === 0 ? 0 : next + this.#total;
      if (bodyAt === 0 || end > bytes.length || this.#isTooLarge(bytes[next] ?? 0, bodyAt - next)) {
        if (next > runFrom) this.#framed.packets(bytes.subarray(runFrom, next));
        next = this.#begin(bytes, next);
        runFrom = next;
        continue;
      }
      this.#check(bytes, next, bodyAt, end);
      this.#total = 0;
      next = end;
      left -= 1;
      if ((bytes[runFrom] ?? 0) >> 4 === CONNECT) {
        this.#framed.packets(bytes.subarray(runFrom, next));
        return next;
      }
    }
    if (next > runFrom) this.#framed.packets(bytes.subarray(runFrom, next));
    return next;
  }

  /** Keeps the first byte of a packet that is not whole, so that the rest goes the way of bytes that come singly. */
  #begin(bytes: Buffer, at: number): number {
    this.#kept = Buffer.allocUnsafeSlow(1 + LONGEST_LENGTH_BYTES);
    this.#kept[0] = bytes[at] ?? 0;
    this.#keptLength = 1;
    this.#total = 0;
    this.#checkFirst(bytes[at] ?? 0);
    return at + 1;
  }

  #goOn(bytes: Buffer, at: number): number {
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, bytes.length - at);
      this.#skip -= skipped;
      if (this.#skip === 0) this.#pass();
      return at + skipped;
    }
    let next = at;
    while (this.#total === 0 && next < bytes.length) {
      this.#keep(bytes, next, next + 1);
      next += 1;
      this.#bodyOf(this.#kept as Buffer, 0, this.#keptLength);
    }
    if (this.#total === 0) return next;
    const kept = this.#kept as Buffer;
    const headLength = 1 + lengthBytes(kept);
    if (this.#isTooLarge(kept[0] ?? 0, headLength)) return this.#empty(bytes, next, headLength);
    const taken = Math.min(this.#total - this.#keptLength, bytes.length - next);
    this.#keep(bytes, next, next + taken);
    if (this.#keptLength === this.#total) this.#whole(headLength);
    return next + taken;
  }

  #whole(headLength: number): void {
    const packet = (this.#kept as Buffer).subarray(0, this.#total);
    this.#kept = undefined;
    this.#total = 0;
    this.#check(packet, 0, headLength, packet.length);
    this.#framed.packets(packet);
  }

  /** Keeps header, topic and message id of a message that is too large; the rest of it is thrown away. */
  #empty(bytes: Buffer, at: number, headLength: number): number {
    const wanted = headLength + 2 + HEAD_BYTES + 2;
    const taken = Math.min(wanted - this.#keptLength, bytes.length - at);
    this.#keep(bytes, at, at + taken);
    if (this.#keptLength < wanted) return at + taken;
    const head = this.#kept as Buffer;
    const first = head[0] ?? 0;
    if (head.readUInt16BE(headLength) > HEAD_BYTES) throw new RefusedBytes('topic-forbidden');
    const payloadAt = endOfPublishHead(first, head, headLength, wanted);
    this.#emptied = emptied(first, head.subarray(qosOf(first) === 0 ? payloadAt : payloadAt - 2, payloadAt));
    this.#skip = this.#total - wanted;
    this.#kept = undefined;
    this.#total = 0;
    return at + taken;
  }

  #pass(): void {
    const packet = this.#emptied as Buffer;
    this.#emptied = undefined;
    this.#framed.packets(packet);
  }

  /** Takes at most twice the memory of what came. */
  #keep(bytes: Buffer, from: number, to: number): void {
    const needed = this.#keptLength + to - from;
    let kept = this.#kept as Buffer;
    if (needed > kept.length) {
      const room = Math.max(needed, Math.min(this.#total, needed * 2));
      const grown = Buffer.allocUnsafeSlow(room);
      kept.copy(grown, 0, 0, this.#keptLength);
      this.#kept = grown;
      kept = grown;
    }
    bytes.copy(kept, this.#keptLength, from, to);
    this.#keptLength = needed;
  }

  /** Where the body of the packet at `at` begins, 0 while that cannot be said; `#total` is then its whole length. */
  #bodyOf(bytes: Buffer, at: number, end: number): number {
    const first = bytes[at] ?? 0;
    this.#checkFirst(first);
    let length = 0;
    let factor = 1;
    for (let next = at + 1; next < end; next += 1) {
      const byte = bytes[next] ?? 0;
      length += (byte & 127) * factor;
      factor *= 128;
      if (byte < 128) {
        this.#judge(first, length);
        this.#total = next + 1 - at + length;
        return next + 1;
      }
      if (next - at >= LONGEST_LENGTH_BYTES) throw new RefusedBytes('protocol-error');
    }
    return 0;
  }

  #checkFirst(first: number): void {
    if (this.#hasConnect) checkFirstByte(first);
    else if (first !== CONNECT << 4) throw new RefusedBytes('no-connect');
  }

  #judge(first: number, length: number): void {
    if (!this.#hasConnect) {
      if (length > LARGEST_CONNECT_BYTES) throw new RefusedBytes('connect-too-long');
      return;
    }
    const most = first >> 4 === PUBLISH ? LARGEST_SKIPPED_BYTES : LARGEST_PAYLOAD_BYTES + HEAD_BYTES;
    if (length > most) throw new RefusedBytes('packet-too-long');
  }

  #isTooLarge(first: number, headLength: number): boolean {
    return first >> 4 === PUBLISH && this.#total - headLength > LARGEST_PAYLOAD_BYTES + HEAD_BYTES;
  }

  #check(bytes: Buffer, at: number, bodyAt: number, end: number): void {
    const first = bytes[at] ?? 0;
    if (this.#hasConnect) checkPacket(first, bytes, bodyAt, end);
    else {
      checkConnect(bytes.subarray(bodyAt, end));
      this.#hasConnect = true;
    }
  }
}

const lengthBytes = (packet: Buffer): number => {
  let count = 1;
  while ((packet[count] ?? 0) > 127) count += 1;
  return count;
};

/** A PUBLISH of nothing, with the quality of service and the message id of another. */
function emptied(first: number, messageId: Buffer): Buffer {
  const topic = Buffer.from(TOO_LARGE_TOPIC);
  return Buffer.concat([
    Buffer.from([first & ~RETAIN, 2 + topic.length + messageId.length, 0, topic.length]),
    topic,
    messageId,
  ]);
}
