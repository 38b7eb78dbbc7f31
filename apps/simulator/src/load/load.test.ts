import { createServer, type Server } from 'node:net';
import { AliasTable } from '@sonnenwarte/device-protocol/births';
import { decodePayload } from '@sonnenwarte/device-protocol/sparkplug-payload';
import { afterEach, describe, expect, test } from 'vitest';
import { DataFrame, loadBirth, loadPoints, loadValue } from './frame.ts';
import { connectPacket, PacketReader, PacketType } from './mqtt-wire.ts';
import { LatencyHistogram, type LoadOptions, runLoad } from './run-load.ts';

const NOW = 1_795_000_000_123;
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The payload of a PUBLISH of QoS 1. */
function payloadOf(body: Buffer): Buffer {
  return body.subarray(2 + body.readUInt16BE(0) + 2);
}

describe('a pre-encoded frame', () => {
  test('reads as a DDATA of sixty values with its time and number', () => {
    const table = new AliasTable();
    table.register(loadBirth(3, NOW));
    const frame = new DataFrame('spBv1.0/solar/DDATA/400000000000000/LD1', 3, 1);
    for (const seq of [0, 127, 128, 255]) {
      const [packet] = new PacketReader().read(frame.make(NOW, seq, 65_000));
      const payload = decodePayload(payloadOf(packet?.body ?? Buffer.alloc(4)));
      expect(payload).toMatchObject({ timestampMs: NOW, seq });
      const values = payload.metrics.map((metric) => table.resolve(metric));
      expect(values.map((value) => value?.name)).toEqual(loadPoints.map(({ name }) => name));
      for (const [index, value] of values.entries()) {
        expect(Number(value?.value)).toBeCloseTo(loadValue(index, 3, NOW), 1);
      }
    }
    expect(loadPoints).toHaveLength(60);
  });

  test('lifetime counters never fall', () => {
    const index = loadPoints.findIndex((point) => point.accumulates === 'lifetime');
    expect(loadValue(index, 1, NOW + 1000)).toBeGreaterThanOrEqual(loadValue(index, 1, NOW));
    expect(loadValue(index, 1, NOW)).toBeGreaterThan(0);
  });
});

test('packets are found in a stream however it is cut', () => {
  const packet = connectPacket({
    sn: '400000000000000',
    password: 'secret',
    will: { topic: 'a/b', payload: new Uint8Array(300) },
    keepAliveS: 60,
  });
  const stream = Buffer.concat([packet, packet, Buffer.from([0xd0, 0])]);
  const reader = new PacketReader();
  const types = [...stream].flatMap((byte) => reader.read(Buffer.from([byte])).map(({ type }) => type));
  expect(types).toEqual([1, 1, PacketType.pingresp]);
});

test('percentiles of latencies are right within 3 %', () => {
  const histogram = new LatencyHistogram();
  for (let ms = 1; ms <= 1000; ms += 1) histogram.add(ms);
  const { p50, p99, max } = histogram.percentiles();
  expect(Math.abs(p50 / 500 - 1)).toBeLessThan(0.03);
  expect(Math.abs(p99 / 990 - 1)).toBeLessThan(0.03);
  expect(max).toBe(1000);
});

/** A broker that accepts every logger and acknowledges what comes. */
async function acceptingBroker(code = 0): Promise<{ port: number; types: number[] }> {
  const types: number[] = [];
  const server = createServer((socket) => {
    const reader = new PacketReader();
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      for (const { type, flags, body } of reader.read(chunk)) {
        types.push(type);
        if (type === 1) socket.write(Buffer.from([0x20, 2, 0, code]));
        if (type !== PacketType.publish || (flags & 6) === 0) continue;
        const idAt = 2 + body.readUInt16BE(0);
        socket.write(Buffer.from([0x40, 2, body[idAt] ?? 0, body[idAt + 1] ?? 0]));
      }
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, types };
}

function options(port: number, change: Partial<LoadOptions> = {}): LoadOptions {
  return {
    host: '127.0.0.1',
    port,
    group: 'solar',
    credentials: Array.from({ length: 5 }, (_, index) => [`40000000000000${index}`, 'x'] as const),
    loggers: 5,
    devicesPerLogger: 2,
    intervalS: 0.05,
    durationS: 0.3,
    qos: 1,
    isMax: false,
    window: 8,
    connectsPerSecond: 1000,
    ...change,
  };
}

describe('a run', () => {
  test('by interval: every message is acknowledged and counted', async () => {
    const { port, types } = await acceptingBroker();
    const stats = await runLoad(options(port));
    expect(stats).toMatchObject({ connected: 5, failed: 0, lost: 0, devices: 10 });
    expect(stats.sent).toBeGreaterThanOrEqual(10);
    expect(stats.acked).toBe(stats.sent);
    expect(types.filter((type) => type === PacketType.publish).length).toBe(stats.sent + 15);
  });

  test('as fast as the broker takes it', async () => {
    const { port } = await acceptingBroker();
    const stats = await runLoad(options(port, { isMax: true }));
    expect(stats.acked).toBe(stats.sent);
    expect(stats.sent).toBeGreaterThan(100);
  });

  test('that no broker accepts says why', async () => {
    const { port } = await acceptingBroker(5);
    await expect(runLoad(options(port))).rejects.toThrow(/no logger could connect: .* refused with code 5/);
    await expect(runLoad(options(port, { loggers: 9 }))).rejects.toThrow(/credentials for 5 loggers, but 9/);
  });
});
