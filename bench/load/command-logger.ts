import { connect, type Socket } from 'node:net';
import { bdSeqMetric, deathPayload, nextSeq } from '@sonnenwarte/device-protocol/points/births';
import { type Command, parseCommand, ResultCode, resultMetrics } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import {
  decodePayload,
  encodePayload,
  type SparkplugMetric,
} from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { GROUP, type SparkplugMessageType, sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { DATALOGGER_PASSWORD, dataloggerSn, deviceSn } from '../support/names.ts';
import {
  connectPacket,
  DISCONNECT,
  PacketReader,
  PacketType,
  PINGREQ,
  publishPacket,
  subscribePacket,
} from './mqtt-wire.ts';

const KEEP_ALIVE_S = 60;
/** How long a device behind RS-485 takes to carry out a command. */
const FASTEST_MS = 200;
const SLOWEST_MS = 1_500;
export const SETTING = 'Setting/ExportLimit';

/** A logger with one inverter that carries out writes as field devices do: after a while, each id once. */
export class CommandLogger {
  readonly sn: string;
  readonly device: string;
  readonly #address: { host: string; port: number };
  readonly #reader = new PacketReader();
  readonly #done = new Set<string>();
  #socket: Socket | undefined;
  #seq = 255;
  #value = 5_000;
  /** Writes carried out, and commands that came again. */
  carriedOut = 0;
  repeated = 0;

  constructor(address: { host: string; port: number }, index: number) {
    this.#address = address;
    this.sn = dataloggerSn(index);
    this.device = deviceSn(index, 0);
  }

  /** Connects, listens and sends the births. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ ...this.#address, noDelay: true });
      this.#socket = socket;
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`logger ${this.sn}: connection closed`)));
      socket.on('connect', () => {
        const will = { topic: sparkplugTopic(GROUP, 'NDEATH', this.sn), payload: encodePayload(deathPayload(0)) };
        socket.write(connectPacket({ sn: this.sn, password: DATALOGGER_PASSWORD, will, keepAliveS: KEEP_ALIVE_S }));
      });
      socket.on('data', (chunk) => {
        for (const { type, body } of this.#reader.read(chunk)) {
          if (type === PacketType.connack && body[1] === 0) {
            socket.write(subscribePacket(1, sparkplugTopic(GROUP, 'NCMD', this.sn)));
            socket.write(subscribePacket(2, sparkplugTopic(GROUP, 'DCMD', this.sn, '#')));
            this.#birth();
            setInterval(() => socket.write(PINGREQ), (KEEP_ALIVE_S * 1000) / 2).unref();
            resolve();
          } else if (type === PacketType.publish) {
            this.#hear(parseCommand(decodePayload(body.subarray(2 + body.readUInt16BE(0)))));
          }
        }
      });
    });
  }

  close(): void {
    this.#socket?.end(DISCONNECT);
  }

  #birth(): void {
    this.#seq = 255;
    this.#send('NBIRTH', [
      bdSeqMetric(0, Date.now()),
      { name: 'Properties/Profile', datatype: DataType.String, value: 'PV-1' },
      { name: 'Report/Interval', datatype: DataType.Int32, value: 600 },
    ]);
    this.#send(
      'DBIRTH',
      [
        { name: 'Properties/Kind', datatype: DataType.String, value: 'inverter' },
        { name: 'AC/ActivePower', datatype: DataType.Float, value: 1_000 },
        this.#setting(),
      ],
      this.device,
    );
  }

  #setting(): SparkplugMetric {
    return { name: SETTING, datatype: DataType.UInt32, value: this.#value };
  }

  #hear(command: Command): void {
    if (command.rebirth) this.#birth();
    const { id, settings } = command;
    const wanted = settings[0]?.value;
    if (id === undefined || typeof wanted !== 'number') return;
    setTimeout(
      () => {
        if (this.#done.has(id)) this.repeated += 1;
        else {
          this.#done.add(id);
          this.carriedOut += 1;
          this.#value = wanted;
        }
        const { name = '', datatype = 0, value } = this.#setting();
        this.#send('DDATA', resultMetrics(id, ResultCode.ok, '', [{ name, datatype, value: value ?? 0 }]), this.device);
      },
      FASTEST_MS + Math.random() * (SLOWEST_MS - FASTEST_MS),
    );
  }

  #send(type: SparkplugMessageType, metrics: SparkplugMetric[], device?: string): void {
    this.#seq = nextSeq(this.#seq);
    const payload = encodePayload({ timestampMs: Date.now(), seq: this.#seq, metrics });
    this.#socket?.write(publishPacket(sparkplugTopic(GROUP, type, this.sn, device), payload, 0).packet);
  }
}
