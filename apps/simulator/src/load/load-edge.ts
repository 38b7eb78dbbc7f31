import { connect, type Socket } from 'node:net';
import { bdSeqMetric, deathPayload, nextSeq } from '@sonnenwarte/device-protocol/births';
import { DataType } from '@sonnenwarte/device-protocol/datatypes';
import { encodePayload, type SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug-payload';
import { type SparkplugMessageType, sparkplugTopic } from '@sonnenwarte/device-protocol/topics';
import { DataFrame, loadBirth } from './frame.ts';
import {
  connectPacket,
  DISCONNECT,
  type IncomingPacket,
  PacketReader,
  PacketType,
  PINGREQ,
  pubackPacket,
  publishPacket,
  subscribePacket,
} from './mqtt-wire.ts';

export interface LoadEdgeOptions {
  host: string;
  port: number;
  sn: string;
  password: string;
  group: string;
  /** Number of the first of its devices in the whole run. */
  firstDevice: number;
  devices: number;
  qos: 0 | 1;
  onAck(latencyMs: number): void;
}

const KEEP_ALIVE_S = 60;
const MOST_BUFFERED_BYTES = 256 * 1024;

/** One synthetic logger over a bare socket: births, data of its inverters, answers to a rebirth request. */
export class LoadEdge {
  readonly #options: LoadEdgeOptions;
  readonly #frames: { sn: string; frame: DataFrame; lastMs: number }[];
  readonly #reader = new PacketReader();
  readonly #sentAtMs = new Map<number, number>();
  #socket: Socket | undefined;
  #seq = 255;
  #packetId = 0;
  #keepAlive: NodeJS.Timeout | undefined;
  #next = 0;
  isOpen = false;
  sent = 0;
  acked = 0;
  bytes = 0;

  constructor(options: LoadEdgeOptions) {
    this.#options = options;
    this.#frames = Array.from({ length: options.devices }, (_, index) => {
      const sn = `LD${options.sn.slice(-9)}${String(index).padStart(2, '0')}`;
      const topic = sparkplugTopic(options.group, 'DDATA', options.sn, sn);
      return { sn, frame: new DataFrame(topic, options.firstDevice + index, options.qos), lastMs: 0 };
    });
  }

  get unacked(): number {
    return this.#sentAtMs.size;
  }

  /** Whether the socket takes more without growing its queue beyond measure. */
  get hasRoom(): boolean {
    return this.isOpen && (this.#socket?.writableLength ?? 0) < MOST_BUFFERED_BYTES;
  }

  /** Connects, subscribes and sends the births; resolves with the time that the broker took to accept, ms. */
  open(): Promise<number> {
    const { host, port, sn, password, group } = this.#options;
    const startedMs = performance.now();
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true });
      this.#socket = socket;
      socket.on('error', reject);
      socket.on('close', () => {
        this.isOpen = false;
        clearInterval(this.#keepAlive);
        reject(new Error(`logger ${sn}: connection closed`));
      });
      socket.on('connect', () => {
        const will = { topic: sparkplugTopic(group, 'NDEATH', sn), payload: encodePayload(deathPayload(0)) };
        socket.write(connectPacket({ sn, password, will, keepAliveS: KEEP_ALIVE_S }));
      });
      socket.on('data', (chunk) => {
        for (const packet of this.#reader.read(chunk)) {
          if (packet.type === PacketType.connack) {
            const code = packet.body[1] ?? 255;
            if (code !== 0) {
              reject(new Error(`logger ${sn}: refused with code ${code}`));
              socket.destroy();
              return;
            }
            this.#accepted(socket);
            resolve(performance.now() - startedMs);
          } else this.#receive(socket, packet);
        }
      });
    });
  }

  /** Sends one message of each device; all in one write. */
  report(nowMs: number): void {
    const packets = this.#frames.map((_, index) => this.#make(index, nowMs));
    this.#socket?.write(Buffer.concat(packets));
  }

  /** Sends the next `count` messages, device after device. */
  push(nowMs: number, count: number): void {
    const packets: Buffer[] = [];
    for (let sent = 0; sent < count; sent += 1) {
      packets.push(this.#make(this.#next, nowMs));
      this.#next = (this.#next + 1) % this.#frames.length;
    }
    this.#socket?.write(Buffer.concat(packets));
  }

  close(isClean: boolean): void {
    clearInterval(this.#keepAlive);
    if (isClean) this.#socket?.end(DISCONNECT);
    else this.#socket?.destroy();
  }

  #make(index: number, nowMs: number): Buffer {
    const device = this.#frames[index];
    if (device === undefined) throw new Error(`no device ${index}`);
    // Times of a device never repeat: a repeated one would be taken for a duplicate.
    device.lastMs = Math.max(nowMs, device.lastMs + 1);
    this.#seq = nextSeq(this.#seq);
    let packetId = 0;
    if (this.#options.qos === 1) {
      this.#packetId = (this.#packetId % 65_535) + 1;
      packetId = this.#packetId;
      this.#sentAtMs.set(packetId, performance.now());
    }
    this.sent += 1;
    this.bytes += device.frame.bytes;
    return device.frame.make(device.lastMs, this.#seq, packetId);
  }

  #accepted(socket: Socket): void {
    const { group, sn } = this.#options;
    this.isOpen = true;
    socket.write(subscribePacket(65_535, sparkplugTopic(group, 'NCMD', sn)));
    this.#birth(socket);
    this.#keepAlive = setInterval(() => socket.write(PINGREQ), (KEEP_ALIVE_S * 1000) / 2);
    this.#keepAlive.unref();
  }

  #birth(socket: Socket): void {
    const tsMs = Date.now();
    this.#seq = 255;
    const node: SparkplugMetric[] = [
      bdSeqMetric(0, tsMs),
      { name: 'Node Control/Rebirth', datatype: DataType.Boolean, value: false },
      { name: 'Properties/Model', datatype: DataType.String, value: 'SW-LOAD' },
    ];
    const packets = [this.#named('NBIRTH', node, tsMs)];
    this.#frames.forEach(({ sn }, index) => {
      packets.push(this.#named('DBIRTH', loadBirth(this.#options.firstDevice + index, tsMs), tsMs, sn));
    });
    socket.write(Buffer.concat(packets));
  }

  #named(type: SparkplugMessageType, metrics: SparkplugMetric[], tsMs: number, device?: string): Buffer {
    this.#seq = nextSeq(this.#seq);
    const topic = sparkplugTopic(this.#options.group, type, this.#options.sn, device);
    return publishPacket(topic, encodePayload({ timestampMs: tsMs, seq: this.#seq, metrics }), 0).packet;
  }

  #receive(socket: Socket, { type, flags, body }: IncomingPacket): void {
    if (type === PacketType.puback) {
      const packetId = body.readUInt16BE(0);
      const sentAtMs = this.#sentAtMs.get(packetId);
      if (sentAtMs === undefined) return;
      this.#sentAtMs.delete(packetId);
      this.acked += 1;
      this.#options.onAck(performance.now() - sentAtMs);
    } else if (type === PacketType.publish) {
      if ((flags & 6) === 2) socket.write(pubackPacket(body.readUInt16BE(2 + body.readUInt16BE(0))));
      this.#birth(socket);
    }
  }
}
