import { connect, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { jsonTopic, sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { connectBytes, publishBytes, reading } from './raw-mqtt.ts';

/** Numbers below 1 that depend on the seed alone (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface FuzzTarget {
  readonly port: number;
  readonly tlsPort: number;
  /** Loggers whose password the fuzzer has. */
  readonly insiders: readonly string[];
  /** A logger whose password it has not. */
  readonly victim: string;
}

/** Devices that only one who is not authenticated names. */
export const INTRUDER = 'INTRUDER';

const LONGEST_CASE_MS = 400;
const LARGEST_MESSAGE = 400_000;

/** One connection of the fuzzer: what it sends, in which pieces, and how it ends. */
export class FuzzCase {
  readonly #random: () => number;
  readonly #target: FuzzTarget;

  constructor(seed: number, target: FuzzTarget) {
    this.#random = seeded(seed);
    this.#target = target;
  }

  async run(): Promise<void> {
    const { port, tlsPort } = this.#target;
    const socket = connect(this.#chance(0.05) ? tlsPort : port, '127.0.0.1');
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    socket.on('error', () => undefined);
    if (this.#chance(0.9)) socket.resume();
    for (const segment of this.#segments(this.#bytes())) {
      if (socket.destroyed) break;
      socket.write(segment);
      if (this.#chance(0.3)) await nextTurn();
      else if (this.#chance(0.05)) await delay(this.#below(30));
    }
    await this.#end(socket, closed);
  }

  async #end(socket: Socket, closed: Promise<void>): Promise<void> {
    const way = this.#below(10);
    if (way < 2) socket.resetAndDestroy();
    else if (way < 4) socket.destroy();
    else {
      if (this.#chance(0.5)) socket.end();
      const late = new AbortController();
      await Promise.race([closed, delay(this.#below(LONGEST_CASE_MS), undefined, { signal: late.signal })]);
      late.abort();
      socket.destroy();
    }
    await closed;
  }

  #bytes(): Buffer {
    if (this.#chance(0.05)) return this.#noise(this.#below(3_000));
    if (this.#chance(0.03)) return Buffer.from('GET /c/v0/fleet HTTP/1.1\r\nHost: x\r\n\r\n');
    const isInsider = this.#chance(0.5);
    const sn = isInsider ? this.#one(this.#target.insiders) : this.#target.victim;
    const device = isInsider ? `F${this.#below(4)}` : `${INTRUDER}${this.#below(4)}`;
    const hello = isInsider ? connectBytes(sn, { keepalive: this.#below(3) }) : this.#strangersHello(sn);
    const packets = [hello, ...Array.from({ length: this.#below(12) }, () => this.#packet(sn, device))];
    if (this.#chance(0.1)) this.#swap(packets);
    // What is meant to be authenticated mostly keeps a sound CONNECT, to come to what lies behind it.
    const from = isInsider && this.#chance(0.8) ? hello.length : 0;
    const bytes = Buffer.concat(packets);
    return this.#chance(0.6) ? this.#damaged(bytes, from) : bytes;
  }

  #strangersHello(sn: string): Buffer {
    return this.#one([
      () => connectBytes(sn, { password: this.#one(['wrong', 'x'.repeat(300)]) }),
      () => connectBytes(sn, { clientId: this.#one(this.#target.insiders) }),
      () => connectBytes('', { password: '' }),
      () => connectBytes('u-0123456789abcdef0123', { password: 'a'.repeat(64) }),
      () => Buffer.alloc(0),
      () => Buffer.from('100c00044d5154540502003c0000', 'hex'),
    ])();
  }

  #packet(sn: string, device: string): Buffer {
    const id = 1 + this.#below(this.#chance(0.5) ? 3 : 65_535);
    const topic = this.#one([
      () => jsonTopic(sn, 'up'),
      () => jsonTopic(sn, 'status'),
      () => jsonTopic(sn, 'cmd'),
      () => sparkplugTopic('solar', this.#one(['NBIRTH', 'NDATA', 'NDEATH'] as const), sn),
      () => sparkplugTopic('solar', this.#one(['DBIRTH', 'DDATA', 'DDEATH'] as const), sn, device),
      () => '/'.repeat(this.#below(200)),
      () => this.#one(['#', '+/up', '$SYS/x', 'spBv1.0/STATE/sonnenwarte', '__proto__', 'é\u0000']),
    ])();
    const payload = this.#one([
      () => Buffer.from(reading(device)),
      () => this.#noise(this.#below(400)),
      () => Buffer.alloc(this.#below(5) === 0 ? this.#below(LARGEST_MESSAGE) : this.#below(3_000), 0x20),
    ]);
    const make = (packet: Packet) => mqttPacket.generate(packet);
    return this.#one([
      () => publishBytes(topic || 'x', payload(), this.#chance(0.7) ? id : undefined, this.#one([1, 2] as const)),
      () => publishBytes(topic || 'x', payload(), id),
      () => make({ cmd: 'subscribe', messageId: id, subscriptions: [{ topic: topic || '#', qos: 1 }] }),
      () => make({ cmd: 'unsubscribe', messageId: id, unsubscriptions: [topic || '#'] }),
      () => make({ cmd: this.#one(['puback', 'pubrec', 'pubrel', 'pubcomp'] as const), messageId: id }),
      () => make({ cmd: this.#chance(0.8) ? 'pingreq' : 'disconnect' }),
      () => connectBytes(sn, { password: 'wrong' }),
      () => this.#announced(),
    ])();
  }

  /** A header that announces something large, and a little of it. */
  #announced(): Buffer {
    const lengths = [
      [0xff, 0xff, 0xff, 0x7f],
      [0x80, 0x80, 0x80, 0x80],
      [0x80, 0x80, 0x40],
      [0xff, 0x07],
    ];
    return Buffer.concat([Buffer.from([this.#below(256), ...this.#one(lengths)]), this.#noise(this.#below(200))]);
  }

  #damaged(bytes: Buffer, from: number): Buffer {
    let damaged = Buffer.from(bytes);
    for (let times = 1 + this.#below(4); times > 0 && damaged.length > from; times -= 1) {
      const at = from + this.#below(damaged.length - from);
      const to = at + this.#below(Math.min(64, damaged.length - at));
      const [before, middle, after] = [damaged.subarray(0, at), damaged.subarray(at, to), damaged.subarray(to)];
      damaged = Buffer.concat(
        this.#one([
          () => [before, Buffer.from([this.#below(256)]), damaged.subarray(at + 1)],
          () => [before, after],
          () => [before, middle, middle, after],
          () => [before, this.#noise(this.#below(32)), after],
          () => [before],
        ])(),
      );
    }
    return damaged;
  }

  #segments(bytes: Buffer): Buffer[] {
    const segments: Buffer[] = [];
    const longest = this.#one([1, 7, 100, 1_460, 65_536, bytes.length]);
    for (let at = 0; at < bytes.length; ) {
      const length = segments.length > 300 ? bytes.length : 1 + this.#below(longest);
      segments.push(bytes.subarray(at, at + length));
      at += length;
    }
    return segments;
  }

  #swap(packets: Buffer[]): void {
    const [a, b] = [this.#below(packets.length), this.#below(packets.length)];
    [packets[a], packets[b]] = [packets[b] as Buffer, packets[a] as Buffer];
  }

  #noise(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#below(256)));
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #one<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)] as T;
  }
}
