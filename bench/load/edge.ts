import { connect, type Socket } from 'node:net';
import { bdSeqMetric, deathPayload, nextSeq } from '@sonnenwarte/device-protocol/points/births';
import { parseCommand } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import {
  decodePayload,
  encodePayload,
  type SparkplugMetric,
} from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { GROUP, type SparkplugMessageType, sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { DATALOGGER_PASSWORD, dataloggerSn, deviceSn } from '../support/names.ts';
import { birthMetrics, DeviceFrame } from './data-frame.ts';
import {
  connectPacket,
  DISCONNECT,
  type IncomingPacket,
  PacketReader,
  PacketType,
  PINGREQ,
  publishPacket,
  subscribePacket,
} from './mqtt-wire.ts';

export interface EdgeOptions {
  host: string;
  port: number;
  /** Its number in the fleet, which gives its serial number. */
  index: number;
  devices: number;
  qos: 0 | 1;
  /** Seconds that it tells as its report interval. */
  intervalS: number;
  /** Time of the first sample; 0: its samples are told at the time of the clock. */
  startMs: number;
  stepMs: number;
  acknowledged(latencyMs: number): void;
}

const KEEP_ALIVE_S = 60;
const MOST_BUFFERED_BYTES = 256 * 1024;

interface Device {
  sn: string;
  frame: DeviceFrame;
  nextMs: number;
  acked: number;
}

/** A logger with inverters of sixty values over a bare socket. */
export class Edge {
  readonly #options: EdgeOptions;
  readonly #sn: string;
  readonly devices: Device[];
  #reader = new PacketReader();
  readonly #waiting = new Map<number, { device: Device; sentMs: number }>();
  #socket: Socket | undefined;
  #seq = 255;
  #packetId = 0;
  #bdSeq = 0;
  #keepAlive: NodeJS.Timeout | undefined;
  #next = 0;
  isOpen = false;
  sent = 0;

  constructor(options: EdgeOptions) {
    this.#options = options;
    this.#sn = dataloggerSn(options.index);
    this.devices = Array.from({ length: options.devices }, (_, number) => {
      const sn = deviceSn(options.index, number);
      const topic = sparkplugTopic(GROUP, 'DDATA', this.#sn, sn);
      const device = options.index * options.devices + number;
      return { sn, frame: new DeviceFrame(topic, device, options.qos), nextMs: options.startMs, acked: 0 };
    });
  }

  get unacked(): number {
    return this.#waiting.size;
  }

  get hasRoom(): boolean {
    return this.isOpen && (this.#socket?.writableLength ?? 0) < MOST_BUFFERED_BYTES;
  }

  /** Connects and sends the births; resolves once the broker has accepted. */
  open(): Promise<void> {
    const { host, port } = this.#options;
    this.#reader = new PacketReader();
    this.#waiting.clear();
    this.#bdSeq = (this.#bdSeq + 1) % 256;
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true });
      this.#socket = socket;
      socket.on('error', reject);
      socket.on('close', () => {
        if (this.#socket === socket) {
          this.isOpen = false;
          clearInterval(this.#keepAlive);
        }
        reject(new Error(`logger ${this.#sn}: connection closed`));
      });
      socket.on('connect', () => {
        const will = {
          topic: sparkplugTopic(GROUP, 'NDEATH', this.#sn),
          payload: encodePayload(deathPayload(this.#bdSeq)),
        };
        socket.write(connectPacket({ sn: this.#sn, password: DATALOGGER_PASSWORD, will, keepAliveS: KEEP_ALIVE_S }));
      });
      socket.on('data', (chunk) => {
        for (const packet of this.#reader.read(chunk)) {
          if (packet.type !== PacketType.connack) this.#receive(packet);
          else if (packet.body[1] === 0) {
            this.#accepted(socket);
            resolve();
          } else {
            reject(new Error(`logger ${this.#sn}: refused with code ${packet.body[1]}`));
            socket.destroy();
          }
        }
      });
    });
  }

  /** Sends one message of each device, all with the time of now. */
  report(): void {
    const nowMs = Date.now();
    const packets = this.devices.map((device) => {
      device.nextMs = Math.max(nowMs, device.nextMs);
      return this.#make(device);
    });
    this.#socket?.write(Buffer.concat(packets));
  }

  /** Sends the next messages, device after device, each one step further in time. */
  push(count: number): void {
    const packets: Buffer[] = [];
    for (let made = 0; made < count; made += 1) {
      const device = this.devices[this.#next];
      this.#next = (this.#next + 1) % this.devices.length;
      if (device !== undefined) packets.push(this.#make(device));
    }
    this.#socket?.write(Buffer.concat(packets));
  }

  /** Ends the connection as a logger does, or as a cut cable. */
  close(isClean: boolean): void {
    clearInterval(this.#keepAlive);
    this.isOpen = false;
    if (isClean) this.#socket?.end(DISCONNECT);
    else this.#socket?.resetAndDestroy();
  }

  #make(device: Device): Buffer {
    const tsMs = device.nextMs;
    device.nextMs += this.#options.startMs === 0 ? 1 : this.#options.stepMs;
    this.#seq = nextSeq(this.#seq);
    let packetId = 0;
    if (this.#options.qos === 1) {
      this.#packetId = (this.#packetId % 65_534) + 1;
      packetId = this.#packetId;
      this.#waiting.set(packetId, { device, sentMs: performance.now() });
    }
    this.sent += 1;
    return device.frame.make(tsMs, this.#seq, packetId);
  }

  #accepted(socket: Socket): void {
    this.isOpen = true;
    socket.write(subscribePacket(65_535, sparkplugTopic(GROUP, 'NCMD', this.#sn)));
    this.#birth(socket);
    clearInterval(this.#keepAlive);
    this.#keepAlive = setInterval(() => socket.write(PINGREQ), (KEEP_ALIVE_S * 1000) / 2);
    this.#keepAlive.unref();
  }

  #birth(socket: Socket): void {
    const nowMs = Date.now();
    this.#seq = 255;
    const node: SparkplugMetric[] = [
      bdSeqMetric(this.#bdSeq, nowMs),
      { name: 'Node Control/Rebirth', datatype: DataType.Boolean, value: false },
      { name: 'Properties/Model', datatype: DataType.String, value: 'SW-BENCH' },
      { name: 'Report/Interval', datatype: DataType.Int32, value: Math.round(this.#options.intervalS) },
    ];
    const packets = [this.#named('NBIRTH', node, nowMs)];
    for (const [number, device] of this.devices.entries()) {
      const tsMs = this.#options.startMs === 0 ? Math.max(nowMs, device.nextMs) : device.nextMs;
      device.nextMs = tsMs + (this.#options.startMs === 0 ? 1 : this.#options.stepMs);
      const metrics = birthMetrics(this.#options.index * this.devices.length + number, tsMs);
      packets.push(this.#named('DBIRTH', metrics, tsMs, device.sn));
    }
    socket.write(Buffer.concat(packets));
  }

  #named(type: SparkplugMessageType, metrics: SparkplugMetric[], tsMs: number, device?: string): Buffer {
    this.#seq = nextSeq(this.#seq);
    const topic = sparkplugTopic(GROUP, type, this.#sn, device);
    return publishPacket(topic, encodePayload({ timestampMs: tsMs, seq: this.#seq, metrics }), 0).packet;
  }

  #receive({ type, body }: IncomingPacket): void {
    if (type === PacketType.puback) {
      const packetId = body.readUInt16BE(0);
      const waiting = this.#waiting.get(packetId);
      if (waiting === undefined) return;
      this.#waiting.delete(packetId);
      waiting.device.acked += 1;
      this.#options.acknowledged(performance.now() - waiting.sentMs);
    } else if (type === PacketType.publish && this.#socket !== undefined) {
      const payload = body.subarray(2 + body.readUInt16BE(0));
      if (parseCommand(decodePayload(payload)).rebirth) this.#birth(this.#socket);
    }
  }
}
