import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import type { SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { publishPacket } from './mqtt-wire.ts';
import { fillValues, points, VALUES } from './series.ts';

const FLOAT_TAG = (12 << 3) | 5;
const DOUBLE_TAG = (13 << 3) | 1;
const FIRST_ALIAS = 10;
const isDouble = points.map(({ datatype }) => datatype === DataType.Double);
const values = new Float64Array(VALUES);

/** Metrics of the birth of a benchmark's inverter. */
export function birthMetrics(device: number, tsMs: number): SparkplugMetric[] {
  fillValues(device, tsMs, values);
  return [
    { name: 'Properties/Kind', datatype: DataType.String, value: 'inverter' },
    { name: 'Properties/Model', datatype: DataType.String, value: 'SW-BENCH' },
    ...points.map(({ name, datatype }, index) => ({
      name,
      alias: FIRST_ALIAS + index,
      timestampMs: tsMs,
      datatype,
      value: values[index] ?? 0,
    })),
  ];
}

/** Messages of one device: a DDATA of sixty values by alias, made once, in which times and values are changed. */
export class DeviceFrame {
  readonly #template: Buffer;
  readonly #payloadAt: number;
  readonly #valuesAt: number[] = [];
  readonly #device: number;

  constructor(topic: string, device: number, qos: 0 | 1) {
    this.#device = device;
    const { packet, payloadAt } = publishPacket(topic, this.#payload(), qos);
    this.#template = packet;
    this.#payloadAt = payloadAt;
  }

  get bytes(): number {
    return this.#template.length;
  }

  /** A packet of its own, so that it may stay in a socket's queue. */
  make(tsMs: number, seq: number, packetId: number): Buffer {
    const packet = Buffer.from(this.#template);
    if (packetId > 0) packet.writeUInt16BE(packetId, this.#payloadAt - 2);
    writeVarint(packet, this.#payloadAt + 1, tsMs, 6);
    fillValues(this.#device, tsMs, values);
    for (let index = 0; index < VALUES; index += 1) {
      const at = this.#payloadAt + (this.#valuesAt[index] ?? 0);
      if (isDouble[index] === true) packet.writeDoubleLE(values[index] ?? 0, at);
      else packet.writeFloatLE(values[index] ?? 0, at);
    }
    writeVarint(packet, packet.length - 2, seq, 2);
    return packet;
  }

  #payload(): Buffer {
    const bytes: number[] = [0x08, 0, 0, 0, 0, 0, 0];
    for (let index = 0; index < VALUES; index += 1) {
      const width = isDouble[index] === true ? 8 : 4;
      bytes.push(0x12, 3 + width, 0x10, FIRST_ALIAS + index, width === 8 ? DOUBLE_TAG : FLOAT_TAG);
      this.#valuesAt.push(bytes.length);
      for (let byte = 0; byte < width; byte += 1) bytes.push(0);
    }
    bytes.push(0x18, 0, 0);
    return Buffer.from(bytes);
  }
}

/** A varint of a fixed length: padded with continued zeros, as the encoding allows. */
function writeVarint(into: Buffer, at: number, value: number, length: number): void {
  let left = value;
  for (let byte = 0; byte < length; byte += 1) {
    into[at + byte] = (left % 128) | (byte === length - 1 ? 0 : 128);
    left = Math.floor(left / 128);
  }
}
