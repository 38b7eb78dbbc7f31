import { DataType } from '@sonnenwarte/device-protocol/datatypes';
import { type Point, pointsOf } from '@sonnenwarte/device-protocol/points';
import type { SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug-payload';
import { publishPacket } from './mqtt-wire.ts';

const VALUES = 60;
const FLOAT_TAG = (12 << 3) | 5;
const DOUBLE_TAG = (13 << 3) | 1;
const FIRST_ALIAS = 10;

/** The sixty points that a synthetic inverter tells: the first of the catalogue that are plain quantities. */
export const loadPoints: readonly Point[] = [
  ...pointsOf.inverter.filter((point) => point.accumulates !== false),
  ...pointsOf.inverter.filter((point) => point.accumulates === false),
]
  .filter(({ datatype }) => datatype === DataType.Float || datatype === DataType.Double)
  .slice(0, VALUES);

/** Value of a point of inverter number `device` at a time: cheap, plausible, counters never falling. */
export function loadValue(index: number, device: number, tsMs: number): number {
  const point = loadPoints[index];
  if (point?.accumulates === 'lifetime') return 1000 + device + tsMs / 3.6e6 - 480_000;
  if (point?.accumulates === 'today') return (tsMs % 86_400_000) / 3.6e6;
  return ((tsMs / 1000 + device * 37 + index * 11) % 997) * 0.1 + index;
}

/** Metrics of the birth of a synthetic inverter. */
export function loadBirth(device: number, tsMs: number): SparkplugMetric[] {
  return [
    { name: 'Properties/Kind', datatype: DataType.String, value: 'inverter' },
    { name: 'Properties/Model', datatype: DataType.String, value: 'SW-LOAD' },
    ...loadPoints.map(({ name, datatype }, index) => ({
      name,
      alias: FIRST_ALIAS + index,
      timestampMs: tsMs,
      datatype,
      value: loadValue(index, device, tsMs),
    })),
  ];
}

/** A DDATA of sixty values by alias as a ready MQTT packet, of which only times and values are changed for each message. */
export class DataFrame {
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
    for (let index = 0; index < this.#valuesAt.length; index += 1) {
      const at = this.#payloadAt + (this.#valuesAt[index] ?? 0);
      const value = loadValue(index, this.#device, tsMs);
      if (loadPoints[index]?.datatype === DataType.Double) packet.writeDoubleLE(value, at);
      else packet.writeFloatLE(value, at);
    }
    writeVarint(packet, packet.length - 2, seq, 2);
    return packet;
  }

  #payload(): Buffer {
    const parts: number[] = [0x08, 0, 0, 0, 0, 0, 0];
    loadPoints.forEach(({ datatype }, index) => {
      const isDouble = datatype === DataType.Double;
      const width = isDouble ? 8 : 4;
      parts.push(0x12, 3 + width, 0x10, FIRST_ALIAS + index, isDouble ? DOUBLE_TAG : FLOAT_TAG);
      this.#valuesAt.push(parts.length);
      for (let byte = 0; byte < width; byte += 1) parts.push(0);
    });
    parts.push(0x18, 0, 0);
    return Buffer.from(parts);
  }
}

/** A varint of a fixed length: padded with continued zeros, as the encoding allows. */
function writeVarint(into: Buffer, at: number, value: number, length: number): void {
  let left = value;
  for (let byte = 0; byte < length; byte += 1) {
    const isLast = byte === length - 1;
    into[at + byte] = (left % 128) | (isLast ? 0 : 128);
    left = Math.floor(left / 128);
  }
}
