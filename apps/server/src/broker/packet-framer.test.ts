import * as fc from 'fast-check';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { describe, expect, test } from 'vitest';
import { publishBytes } from '../testing/raw-mqtt.ts';
import { RefusedBytes } from './mqtt-bytes.ts';
import {
  HEAD_BYTES,
  LARGEST_CONNECT_BYTES,
  LARGEST_PAYLOAD_BYTES,
  LARGEST_SKIPPED_BYTES,
  PacketFramer,
  TOO_LARGE_TOPIC,
} from './packet-framer.ts';

const generate = (packet: Packet): Buffer => mqttPacket.generate(packet);
const connect = generate({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: 4,
  clean: true,
  clientId: '123456789012345',
  username: '123456789012345',
  password: Buffer.from('secret'),
  keepalive: 60,
  will: { topic: 'pv/v1/123456789012345/status', payload: Buffer.from('offline'), qos: 1, retain: true },
});

const messageId = fc.integer({ min: 1, max: 65_535 });
const topic = fc.stringMatching(/^[a-zé/]{1,20}$/);
const packet: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .tuple(topic, fc.uint8Array({ maxLength: 300 }), fc.option(messageId, { nil: undefined }), fc.constantFrom(1, 2))
    .map(([name, payload, id, qos]) => publishBytes(name, payload, id, qos as 1 | 2)),
  fc.constantFrom(generate({ cmd: 'pingreq' }), generate({ cmd: 'disconnect' })),
  messageId.map((id) => generate({ cmd: 'puback', messageId: id })),
  messageId.map((id) => generate({ cmd: 'pubrel', messageId: id })),
  fc
    .tuple(messageId, fc.array(topic, { minLength: 1, maxLength: 5 }))
    .map(([id, filters]) =>
      generate({ cmd: 'subscribe', messageId: id, subscriptions: filters.map((name) => ({ topic: name, qos: 1 })) }),
    ),
  fc
    .tuple(messageId, fc.array(topic, { minLength: 1, maxLength: 5 }))
    .map(([id, filters]) => generate({ cmd: 'unsubscribe', messageId: id, unsubscriptions: filters })),
);
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

interface Outcome {
  passed: Buffer;
  refusal: string | undefined;
  mostKept: number;
}

function segmentsOf(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => Math.round(place * bytes.length)).toSorted((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

/** Each packet must come out whole: the sink takes runs that an ordinary parser reads to their end. */
function frame(segments: readonly Buffer[], mostPackets = 3): Outcome {
  const passed: Buffer[] = [];
  let mostKept = 0;
  const framer = new PacketFramer({
    packets(bytes) {
      expect(mqttPacket.parser().parse(bytes)).toBe(0);
      passed.push(Buffer.from(bytes));
    },
  });
  try {
    for (const segment of segments) {
      for (let at = 0; at < segment.length; ) at = framer.read(segment, at, mostPackets);
      mostKept = Math.max(mostKept, framer.keptBytes);
    }
  } catch (error) {
    if (!(error instanceof RefusedBytes)) throw error;
    return { passed: Buffer.concat(passed), refusal: error.refusal, mostKept };
  }
  return { passed: Buffer.concat(passed), refusal: undefined, mostKept };
}

test('what is well formed comes out as it went in, whole packets at a time, wherever it was split', () => {
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 12 }), cuts, fc.integer({ min: 1, max: 20 }), (packets, places, most) => {
      const bytes = Buffer.concat([connect, ...packets]);
      const { passed, refusal, mostKept } = frame(segmentsOf(bytes, places), most);
      expect(refusal).toBeUndefined();
      expect(passed.equals(bytes)).toBe(true);
      expect(mostKept).toBeLessThanOrEqual(LARGEST_CONNECT_BYTES + 5);
    }),
    { numRuns: 500 },
  );
});

test('bytes that come singly come out as well', () => {
  const bytes = Buffer.concat([connect, publishBytes('a/b', 'payload', 7), generate({ cmd: 'pingreq' })]);
  expect(frame([...bytes].map((byte) => Buffer.from([byte]))).passed.equals(bytes)).toBe(true);
});

test('any bytes are taken or refused by name, and split otherwise they meet the same end', () => {
  const damaged = fc
    .tuple(fc.array(packet, { minLength: 1, maxLength: 6 }), fc.nat(), fc.integer({ min: 0, max: 255 }))
    .map(([packets, place, byte]) => {
      const bytes = Buffer.concat([connect, ...packets]);
      bytes[place % bytes.length] = byte;
      return bytes;
    });
  const noise = fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.oneof(damaged, noise), cuts, (bytes, places) => {
      const whole = frame([bytes]);
      const split = frame(segmentsOf(bytes, places));
      expect(split.refusal).toBe(whole.refusal);
      if (whole.refusal === undefined) expect(split.passed.equals(whole.passed)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

describe('lengths are judged as they are announced', () => {
  const announce = (first: number, length: number): Buffer => {
    const bytes = [first];
    let left = length;
    do {
      bytes.push((left & 127) | (left > 127 ? 128 : 0));
      left >>= 7;
    } while (left > 0);
    return Buffer.from(bytes);
  };

  test.each([
    ['a CONNECT of more than 1 KiB', Buffer.alloc(0), 0x10, LARGEST_CONNECT_BYTES + 1, 'connect-too-long'],
    ['a CONNECT of 256 MB', Buffer.alloc(0), 0x10, 268_435_455, 'connect-too-long'],
    ['a message that nobody would skip', connect, 0x32, LARGEST_SKIPPED_BYTES + 1, 'packet-too-long'],
    ['a SUBSCRIBE of 300 kB', connect, 0x82, 300_000, 'packet-too-long'],
  ])('%s is refused with its header', (_, before, first, length, refusal) => {
    const outcome = frame([before, announce(first, length)]);
    expect(outcome.refusal).toBe(refusal);
    expect(outcome.mostKept).toBeLessThanOrEqual(5);
  });

  test('the largest message passes as it is', () => {
    const room = LARGEST_PAYLOAD_BYTES + HEAD_BYTES - 2 - 'a/b'.length - 2;
    const bytes = Buffer.concat([connect, publishBytes('a/b', Buffer.alloc(room), 7)]);
    expect(frame(segmentsOf(bytes, [0.3, 0.6])).passed.equals(bytes)).toBe(true);
  });

  test('a message above it comes without its payload, and of that no more than the head was kept', () => {
    const size = fc.integer({ min: LARGEST_PAYLOAD_BYTES + HEAD_BYTES, max: 2 * LARGEST_PAYLOAD_BYTES });
    fc.assert(
      fc.property(size, cuts, fc.constantFrom(0, 1, 2), (length, places, qos) => {
        const id = qos === 0 ? undefined : 77;
        const large = publishBytes('a/b', Buffer.alloc(length), id, (qos || 1) as 1 | 2);
        const next = publishBytes('c', 'next', 78);
        const bytes = Buffer.concat([connect, large, next]);
        const { passed, mostKept } = frame(segmentsOf(bytes, places));
        const standIn = publishBytes(TOO_LARGE_TOPIC, '', id, (qos || 1) as 1 | 2);
        expect(passed.equals(Buffer.concat([connect, standIn, next]))).toBe(true);
        expect(mostKept).toBeLessThanOrEqual(2 * (HEAD_BYTES + 16));
      }),
      { numRuns: 50 },
    );
  });

  test('what is kept of a packet is at most twice what came of it', () => {
    const large = publishBytes('a/b', Buffer.alloc(200_000), 7);
    expect(frame([connect, large.subarray(0, 10_000)]).mostKept).toBeLessThanOrEqual(20_000);
    const singly = Array.from({ length: 5_000 }, (_, at) => large.subarray(at, at + 1));
    expect(frame([connect, ...singly]).mostKept).toBeLessThanOrEqual(10_000);
  });
});

describe('refused', () => {
  const text = (value: string | Buffer): Buffer => {
    const bytes = Buffer.from(value);
    return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
  };
  const packetOf = (first: number, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([first, body.length]), body]);
  };
  const id = Buffer.from([0, 9]);
  const invalid = Buffer.from([0xc3, 0x28]);

  test.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 'no-connect'],
    ['a PUBLISH first', publishBytes('a', 'b'), 'no-connect'],
    ['MQTT 5', packetOf(0x10, text('MQTT'), Buffer.from([5, 2, 0, 0, 0]), text('x')), 'protocol-version'],
    [
      'a protocol of the future',
      packetOf(0x10, text('MQTT'), Buffer.from([9, 2, 0, 0]), text('x')),
      'protocol-version',
    ],
    [
      'MQTT 5 of a broker that forwards',
      packetOf(0x10, text('MQTT'), Buffer.from([0x85, 2, 0, 0, 0]), text('x')),
      'protocol-version',
    ],
    [
      'a protocol of the future of a broker that forwards',
      packetOf(0x10, text('MQTT'), Buffer.from([0x89, 2, 0, 0]), text('x')),
      'protocol-version',
    ],
    ['another protocol', packetOf(0x10, text('AMQP'), Buffer.from([4, 2, 0, 0]), text('x')), 'protocol-error'],
    ['a reserved flag', packetOf(0x10, text('MQTT'), Buffer.from([4, 3, 0, 0]), text('x')), 'protocol-error'],
    [
      'a password of nobody',
      packetOf(0x10, text('MQTT'), Buffer.from([4, 66, 0, 0]), text('x'), text('p')),
      'protocol-error',
    ],
    ['a client id with U+0000', packetOf(0x10, text('MQTT'), Buffer.from([4, 2, 0, 0]), text('x\0')), 'protocol-error'],
    [
      'a client id that is no UTF-8',
      packetOf(0x10, text('MQTT'), Buffer.from([4, 2, 0, 0]), text(invalid)),
      'protocol-error',
    ],
    [
      'a topic of the will that is no UTF-8',
      packetOf(0x10, text('MQTT'), Buffer.from([4, 6, 0, 0]), text('x'), text(invalid), text('')),
      'protocol-error',
    ],
    [
      'a user name that is no UTF-8',
      packetOf(0x10, text('MQTT'), Buffer.from([4, 130, 0, 0]), text('x'), text(invalid)),
      'protocol-error',
    ],
    [
      'more behind a CONNECT than it has',
      packetOf(0x10, text('MQTT'), Buffer.from([4, 2, 0, 0]), text('x'), id),
      'protocol-error',
    ],
    ['a length that does not end', Buffer.from([0x10, 0x80, 0x80, 0x80, 0x80, 0x01]), 'protocol-error'],
  ])('%s', (_, bytes, refusal) => {
    expect(frame([bytes]).refusal).toBe(refusal);
  });

  test.each([
    ['a second CONNECT', connect],
    ['reserved type 0', packetOf(0x00)],
    ['reserved type 15', packetOf(0xf0)],
    ['a CONNACK', packetOf(0x20, id)],
    ['a SUBACK', packetOf(0x90, id, Buffer.from([0]))],
    ['QoS 3', packetOf(0x36, text('a'), id)],
    ['a SUBSCRIBE with wrong flags', packetOf(0x80, id, text('a'), Buffer.from([0]))],
    ['a SUBSCRIBE of nothing', packetOf(0x82, id)],
    ['a SUBSCRIBE without a QoS', packetOf(0x82, id, text('a'))],
    ['a SUBSCRIBE to nothing', packetOf(0x82, id, text(''), Buffer.from([0]))],
    [
      'a SUBSCRIBE to what is no UTF-8',
      packetOf(0x82, id, text('a'), Buffer.from([0]), text(invalid), Buffer.from([0])),
    ],
    ['an UNSUBSCRIBE of what is no UTF-8', packetOf(0xa2, id, text('a'), text(invalid))],
    ['an UNSUBSCRIBE that is cut', packetOf(0xa2, id, Buffer.from([0, 5, 0x61]))],
    ['a message id of 0', packetOf(0x32, text('a'), Buffer.from([0, 0]))],
    ['a PUBLISH without a message id', packetOf(0x32, text('a'))],
    ['an empty topic', packetOf(0x30, text(''))],
    ['a topic with +', packetOf(0x30, text('a/+'))],
    ['a topic with #', packetOf(0x30, text('#'))],
    ['a topic with U+0000', packetOf(0x30, text('a\0b'))],
    ['a topic that is no UTF-8', packetOf(0x30, text(invalid))],
    ['a topic with half of a pair', packetOf(0x30, text(Buffer.from([0xed, 0xa0, 0x80])))],
    ['a topic that ends behind its packet', packetOf(0x30, Buffer.from([0, 9, 0x61]))],
    ['a PUBACK that is too long', packetOf(0x40, id, id)],
    ['a PUBREL with wrong flags', packetOf(0x60, id)],
    ['a PINGREQ with something in it', packetOf(0xc0, id)],
    ['a DISCONNECT with something in it', packetOf(0xe0, id)],
  ])('of a connected client: %s', (_, bytes) => {
    expect(frame([connect, bytes]).refusal).toBe('protocol-error');
  });
});
