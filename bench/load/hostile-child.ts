import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { deathPayload } from '@sonnenwarte/device-protocol/points/births';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import {
  COMPRESSED_UUID,
  encodePayload,
  type SparkplugMetric,
} from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import {
  GROUP,
  jsonTopic,
  type SparkplugMessageType,
  sparkplugTopic,
} from '@sonnenwarte/device-protocol/sparkplug/topics';
import { DATALOGGER_PASSWORD } from '../support/names.ts';
import type { HostileKind, HostileOptions, HostileStats } from './hostile-kinds.ts';
import { connectPacket, PacketReader, PacketType, publishPacket } from './mqtt-wire.ts';

/** The process of a hostile logger: does one thing as fast as it is let, for a while, and says how often. */

const options = JSON.parse(process.argv[2] ?? '{}') as HostileOptions;
const { sn, kind, seconds } = options;
/** An address of its own on loopback: its failures are not those of the good ones. */
const ADDRESS = '127.0.0.2';
const PACKETS_AT_ONCE = 16;
const SOCKETS = 500;
const LARGE_BYTES = 250 * 1024;
const endMs = performance.now() + seconds * 1000;
const isOver = () => performance.now() >= endMs;

const stats: HostileStats = { sent: 0, acknowledged: 0, refused: 0, closed: 0 };

function open(): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: options.host, port: options.port, localAddress: ADDRESS, noDelay: true });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(undefined));
    socket.once('connect', () => resolve(socket));
  });
}

async function signedIn(password: string): Promise<Socket | undefined> {
  const socket = await open();
  if (socket === undefined) return undefined;
  const reader = new PacketReader();
  const will = { topic: sparkplugTopic(GROUP, 'NDEATH', sn), payload: encodePayload(deathPayload(0)) };
  return new Promise((resolve) => {
    socket.once('close', () => resolve(undefined));
    socket.on('data', (chunk) => {
      for (const { type, body } of reader.read(chunk)) {
        if (type === PacketType.puback) stats.acknowledged += 1;
        if (type !== PacketType.connack) continue;
        if (body[1] === 0) resolve(socket);
        else {
          stats.refused += 1;
          socket.destroy();
        }
      }
    });
    socket.write(connectPacket({ sn, password, will, keepAliveS: 60 }));
  });
}

let seq = 0;
const sparkplug = (type: SparkplugMessageType, metrics: SparkplugMetric[], device?: string, qos: 0 | 1 = 1) => {
  seq = (seq + 1) & 255;
  const topic = sparkplugTopic(GROUP, type, sn, device);
  return numbered(publishPacket(topic, encodePayload({ timestampMs: Date.now(), seq, metrics }), qos), qos);
};
const raw = (topic: string, payload: Uint8Array, qos: 0 | 1 = 1) => numbered(publishPacket(topic, payload, qos), qos);

let packetId = 0;
function numbered({ packet, payloadAt }: ReturnType<typeof publishPacket>, qos: 0 | 1): Buffer {
  packetId = (packetId % 65_534) + 1;
  if (qos === 1) packet.writeUInt16BE(packetId, payloadAt - 2);
  return packet;
}

const metric = (name: string, value: number): SparkplugMetric => ({ name, datatype: DataType.Double, value });
const many = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => metric(`${prefix}${at}`, at));
const dataTopic = sparkplugTopic(GROUP, 'DDATA', sn, `H${sn}`);
const bomb = encodePayload({
  uuid: COMPRESSED_UUID,
  metrics: [{ name: 'algorithm', datatype: DataType.String, value: 'GZIP' }],
  body: new Uint8Array(gzipSync(Buffer.alloc(64 * 1024 * 1024))),
});
const upTopic = jsonTopic(sn, 'up');
const large = Buffer.from(
  JSON.stringify(
    Array.from({ length: 900 }, (_, at) => ({
      ts: Date.now() - at * 1000,
      dev: `L${sn}`,
      kind: 'inverter',
      hist: true,
      v: Object.fromEntries(Array.from({ length: 12 }, (__, name) => [`Vendor/${name}`, at])),
    })),
  ),
).subarray(0, LARGE_BYTES);
const nested = Buffer.from('['.repeat(100_000));

/** The next packet of a kind that floods a connection. */
const packets: Partial<Record<HostileKind, (turn: number) => Buffer>> = {
  qos0: () => sparkplug('DDATA', [metric('AC/ActivePower', seq)], `H${sn}`, 0),
  qos1: () => sparkplug('DDATA', [metric('AC/ActivePower', seq)], `H${sn}`),
  births: (turn) =>
    turn % 2 === 0
      ? sparkplug('NBIRTH', [metric('bdSeq', 0)])
      : sparkplug('DBIRTH', many(100, `Vendor/${turn}/`), `H${sn}-${turn % 200}`),
  bombs: () => raw(dataTopic, bomb),
  large: () => raw(upTopic, large),
  names: (turn) => sparkplug('DDATA', [metric('AC/ActivePower', turn), ...many(400, `Vendor/${turn}/`)], `H${sn}`),
  devices: (turn) => raw(upTopic, Buffer.from(`{"dev":"H${turn}","kind":"inverter","v":{"AC/ActivePower":${turn}}}`)),
  junk: (turn) => raw(upTopic, turn % 8 === 0 ? nested : Buffer.from('{"dev":"x","kind":["'.repeat(50))),
};

async function flood(next: (turn: number) => Buffer): Promise<void> {
  for (let turn = 0; !isOver(); ) {
    const socket = await signedIn(DATALOGGER_PASSWORD);
    if (socket === undefined) {
      stats.closed += 1;
      await delay(50);
      continue;
    }
    socket.write(sparkplug('DBIRTH', [metric('AC/ActivePower', 1)], `H${sn}`));
    while (!isOver() && !socket.destroyed) {
      const batch: Buffer[] = [];
      for (let at = 0; at < PACKETS_AT_ONCE; at += 1) {
        batch.push(next(turn));
        turn += 1;
      }
      stats.sent += batch.length;
      if (!socket.write(Buffer.concat(batch))) {
        await Promise.race([
          new Promise((resolve) => socket.once('drain', resolve)),
          new Promise((resolve) => socket.once('close', resolve)),
          delay(Math.max(1, endMs - performance.now())),
        ]);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (socket.destroyed) stats.closed += 1;
    socket.destroy();
  }
}

/** Signs in with a wrong password, over and over, on many sockets. */
async function knock(): Promise<void> {
  const knocker = async () => {
    while (!isOver()) {
      stats.sent += 1;
      const socket = await Promise.race([signedIn('wrong'), delay(2_000)]);
      socket?.destroy();
    }
  };
  await Promise.all(Array.from({ length: 32 }, knocker));
}

/** Opens sockets, says half a CONNECT on each second one, and leaves them. */
async function loiter(): Promise<void> {
  const half = connectPacket({
    sn,
    password: 'x'.repeat(200),
    will: { topic: 'x', payload: new Uint8Array(60_000) },
    keepAliveS: 0,
  }).subarray(0, 50_000);
  const sockets = new Set<Socket>();
  while (!isOver()) {
    if (sockets.size >= SOCKETS) {
      await delay(20);
      continue;
    }
    const socket = await open();
    stats.sent += 1;
    if (socket === undefined) {
      stats.closed += 1;
      await delay(5);
      continue;
    }
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      stats.closed += 1;
    });
    if (stats.sent % 2 === 0) socket.write(half);
  }
  for (const socket of sockets) socket.destroy();
}

const next = packets[kind];
if (next !== undefined) await flood(next);
else if (kind === 'knocking') await knock();
else await loiter();
process.send?.(stats);
process.disconnect?.();
process.exit(0);
