import { expect, test } from 'vitest';
import { LatencyHistogram } from './latency-histogram.ts';
import { connectPacket, PacketReader, PacketType } from './mqtt-wire.ts';

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
