/** The few packets of MQTT 3.1.1 that a load generator needs, written and read without any waste. */

const PROTOCOL = Buffer.from([0, 4, 0x4d, 0x51, 0x54, 0x54, 4]);
const CLEAN = 0x02;
const WILL = 0x04;
const WILL_QOS_1 = 0x08;
const PASSWORD = 0x40;
const USER_NAME = 0x80;

export const PINGREQ = Buffer.from([0xc0, 0]);
export const DISCONNECT = Buffer.from([0xe0, 0]);

export interface ConnectPacket {
  sn: string;
  password: string;
  will: { topic: string; payload: Uint8Array };
  keepAliveS: number;
}

export function connectPacket({ sn, password, will, keepAliveS }: ConnectPacket): Buffer {
  const flags = CLEAN | WILL | WILL_QOS_1 | USER_NAME | PASSWORD;
  const body = Buffer.concat([
    PROTOCOL,
    Buffer.from([flags, keepAliveS >> 8, keepAliveS & 255]),
    field(Buffer.from(sn)),
    field(Buffer.from(will.topic)),
    field(will.payload),
    field(Buffer.from(sn)),
    field(Buffer.from(password)),
  ]);
  return Buffer.concat([Buffer.from([0x10]), lengthBytes(body.length), body]);
}

export function subscribePacket(packetId: number, filter: string): Buffer {
  const body = Buffer.concat([idBytes(packetId), field(Buffer.from(filter)), Buffer.from([0])]);
  return Buffer.concat([Buffer.from([0x82]), lengthBytes(body.length), body]);
}

export function pubackPacket(packetId: number): Buffer {
  return Buffer.from([0x40, 2, packetId >> 8, packetId & 255]);
}

/** A PUBLISH whose payload begins at `payloadAt`; of QoS 1 its packet id stands in the two bytes before. */
export function publishPacket(topic: string, payload: Uint8Array, qos: 0 | 1): { packet: Buffer; payloadAt: number } {
  const id = qos === 1 ? idBytes(0) : Buffer.alloc(0);
  const head = Buffer.concat([field(Buffer.from(topic)), id]);
  const length = lengthBytes(head.length + payload.length);
  const start = Buffer.concat([Buffer.from([0x30 | (qos << 1)]), length, head]);
  return { packet: Buffer.concat([start, payload]), payloadAt: start.length };
}

export interface IncomingPacket {
  type: number;
  flags: number;
  body: Buffer;
}

export const PacketType = { connack: 2, publish: 3, puback: 4, suback: 9, pingresp: 13 } as const;

/** Cuts a stream of bytes into packets. */
export class PacketReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Packets that are whole after these bytes. */
  read(chunk: Buffer): IncomingPacket[] {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const packets: IncomingPacket[] = [];
    for (;;) {
      const head = readHead(bytes);
      if (head === undefined || bytes.length < head.at + head.length) break;
      const first = bytes[0] ?? 0;
      packets.push({ type: first >> 4, flags: first & 15, body: bytes.subarray(head.at, head.at + head.length) });
      bytes = bytes.subarray(head.at + head.length);
    }
    this.#rest = bytes;
    return packets;
  }
}

function readHead(bytes: Buffer): { length: number; at: number } | undefined {
  let length = 0;
  for (let at = 1; at < 5; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    length += (byte & 127) * 128 ** (at - 1);
    if (byte < 128) return { length, at: at + 1 };
  }
  throw new Error('malformed packet length');
}

function lengthBytes(length: number): Buffer {
  const bytes: number[] = [];
  let left = length;
  do {
    const more = left > 127;
    bytes.push((left & 127) | (more ? 128 : 0));
    left = Math.floor(left / 128);
  } while (left > 0);
  return Buffer.from(bytes);
}

function field(bytes: Uint8Array): Buffer {
  return Buffer.concat([idBytes(bytes.length), bytes]);
}

function idBytes(value: number): Buffer {
  return Buffer.from([value >> 8, value & 255]);
}
