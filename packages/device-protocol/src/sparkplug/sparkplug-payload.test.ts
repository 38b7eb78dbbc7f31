import { randomBytes } from 'node:crypto';
import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { payload, reasonOf, sample, typedValue } from '../testing/payloads.ts';
import { DataType } from './datatypes.ts';
import {
  applyDatatype,
  COMPRESSED_UUID,
  compressPayload,
  decodePayload,
  encodePayload,
  type MetricValue,
  type PropertySet,
  type SparkplugMetric,
} from './sparkplug-payload.ts';

describe('encoding', () => {
  test('a payload has the bytes that the field numbers give by hand', () => {
    const encoded = encodePayload({
      timestampMs: 1_000,
      seq: 1,
      metrics: [
        { name: 'A', alias: 2, datatype: DataType.Int32, value: -1 },
        { alias: 300, datatype: DataType.Float, isHistorical: true, value: 1 },
      ],
    });
    const first = ['0a 01 41', '10 02', '20 03', '50 ff ff ff ff 0f'];
    const second = ['10 ac 02', '20 09', '28 01', '65 00 00 80 3f'];
    const whole = ['08 e8 07', '12 0d', ...first, '12 0c', ...second, '18 01'].join(' ');
    expect(Buffer.from(encoded).toString('hex')).toBe(whole.replaceAll(' ', ''));
  });

  test('an integer outside its datatype is refused, not truncated', () => {
    const encode = (datatype: number, value: MetricValue) => () => encodePayload({ metrics: [{ datatype, value }] });
    expect(encode(DataType.Int8, 128)).toThrow(RangeError);
    expect(encode(DataType.UInt8, -1)).toThrow(RangeError);
    expect(encode(DataType.Int32, 1.5)).toThrow(RangeError);
    expect(encode(DataType.UInt64, -1)).toThrow(RangeError);
    expect(encode(DataType.Int64, 2n ** 63n)).toThrow(RangeError);
    expect(encode(DataType.Boolean, 1)).toThrow(TypeError);
    expect(encode(DataType.String, 1)).toThrow(TypeError);
  });
});

describe('round trips', () => {
  test('every payload comes back as it was', () => {
    fc.assert(
      fc.property(payload, (original) => {
        expect(decodePayload(encodePayload(original))).toEqual(original);
      }),
      { numRuns: 400 },
    );
  });

  test('compressed payloads of both algorithms come back as they were', () => {
    fc.assert(
      fc.property(payload, fc.constantFrom('GZIP', 'DEFLATE'), (original, algorithm) => {
        expect(decodePayload(compressPayload(original, algorithm))).toEqual(original);
      }),
      { numRuns: 60 },
    );
  });

  test('without datatypes, the datatype of the birth gives the value back', () => {
    fc.assert(
      fc.property(typedValue, ({ datatype, value }) => {
        const encoded = encodePayload({ metrics: [{ alias: 1, datatype, value }] }, { omitDatatypes: true });
        const [decoded] = decodePayload(encoded).metrics;
        expect(decoded?.datatype).toBeUndefined();
        expect(decoded && applyDatatype(decoded, datatype)).toEqual(value);
      }),
    );
  });

  test('applying a datatype twice changes nothing', () => {
    fc.assert(
      fc.property(typedValue, ({ datatype, value }) => {
        expect(applyDatatype({ value }, datatype)).toEqual(value);
      }),
    );
  });
});

describe('decoding what others send', () => {
  test('a negative Int8 is understood as 8, 32 and 64 bits of two-complement', () => {
    const decodeInt8 = (varint: string) =>
      decodePayload(Buffer.from(`12${(2 + varint.length / 2 + 1).toString(16).padStart(2, '0')}200150${varint}`, 'hex'))
        .metrics[0]?.value;
    expect(decodeInt8('ff01')).toBe(-1);
    expect(decodeInt8('ffffffff0f')).toBe(-1);
    expect(decodeInt8('ffffffffffffffffff01')).toBe(-1);
  });

  test('an Int32 that arrives in the 64-bit field keeps its sign', () => {
    const encoded = encodePayload({ metrics: [{ datatype: DataType.Int64, value: -5 }] }, { omitDatatypes: true });
    const [metric] = decodePayload(encoded).metrics;
    expect(metric && applyDatatype(metric, DataType.Int32)).toBe(-5);
  });

  test('a template is skipped and its metric has the value null', () => {
    const encoded = Buffer.from('12080a01542013920100', 'hex');
    expect(decodePayload(encoded).metrics).toEqual([{ name: 'T', datatype: DataType.Template, value: null }]);
  });

  test('unknown fields of every wire type are skipped', () => {
    const unknown = Buffer.from('f80101f9010000000000000000fa0102aabbfd0100000000', 'hex');
    expect(decodePayload(Buffer.concat([unknown, encodePayload(sample())]))).toEqual(sample());
  });

  test('types of a data set may be packed', () => {
    const set = Buffer.from(['0802', '120161', '120162', '1a02030c', '2209', '0a020807', '0a03320178'].join(''), 'hex');
    const encoded = Buffer.concat([Buffer.from([0x12, set.length + 5, 0x20, 0x10, 0x8a, 0x01, set.length]), set]);
    expect(decodePayload(encoded).metrics[0]?.value).toEqual({ columns: ['a', 'b'], types: [3, 12], rows: [[7, 'x']] });
  });

  test('a property named __proto__ changes no prototype', () => {
    const properties: PropertySet = Object.create(null);
    Object.defineProperty(properties, '__proto__', { value: { type: DataType.String, value: 'x' }, enumerable: true });
    const decoded = decodePayload(encodePayload({ metrics: [{ name: 'a', value: 1, properties }] })).metrics[0];
    expect(Object.keys(decoded?.properties ?? {})).toEqual(['__proto__']);
    expect(({} as { type?: unknown }).type).toBeUndefined();
  });

  test('bytes of a decoded metric do not change with the buffer of the message', () => {
    const encoded = encodePayload({ metrics: [{ datatype: DataType.Bytes, value: new Uint8Array([1, 2, 3]) }] });
    const value = decodePayload(encoded).metrics[0]?.value;
    encoded.fill(0);
    expect(value).toEqual(new Uint8Array([1, 2, 3]));
  });

  test('raw deflate and a missing algorithm are accepted', () => {
    const body = new Uint8Array(deflateRawSync(encodePayload(sample())));
    expect(decodePayload(encodePayload({ uuid: COMPRESSED_UUID, metrics: [], body }))).toEqual(sample());
  });

  test('the sequence number of the outer payload counts where the inner one has none', () => {
    const body = new Uint8Array(gzipSync(encodePayload({ metrics: [] })));
    const algorithm = { name: 'algorithm', datatype: DataType.String, value: 'gzip' };
    expect(decodePayload(encodePayload({ uuid: COMPRESSED_UUID, seq: 9, metrics: [algorithm], body })).seq).toBe(9);
  });
});

describe('hostile bytes', () => {
  test('random bytes are decoded or refused with a decode error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (random) => {
        expect(reasonOf(() => decodePayload(random))).toMatch(/accepted|truncated|malformed|too-large|unsupported/);
      }),
      { numRuns: 2_000 },
    );
  });

  test('cut and altered messages are decoded or refused with a decode error', () => {
    const altered = fc.tuple(
      payload,
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
    );
    fc.assert(
      fc.property(altered, ([original, cut, changes]) => {
        const encoded = encodePayload(original);
        const damaged = encoded.slice(0, cut % (encoded.length + 1));
        for (const [at, value] of changes) damaged[at % Math.max(1, damaged.length)] = value;
        expect(reasonOf(() => decodePayload(damaged))).toMatch(/accepted|truncated|malformed|too-large|unsupported/);
      }),
      { numRuns: 1_000 },
    );
  });

  test('altered compressed bodies are decoded or refused with a decode error', () => {
    fc.assert(
      fc.property(
        payload,
        fc.constantFrom('GZIP', 'DEFLATE'),
        fc.nat(),
        fc.nat(255),
        (original, algorithm, at, value) => {
          const encoded = compressPayload(original, algorithm);
          encoded[at % encoded.length] = value;
          expect(reasonOf(() => decodePayload(encoded))).toMatch(/accepted|truncated|malformed|too-large|unsupported/);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a message that ends within a field is truncated', () => {
    const encoded = encodePayload(sample());
    expect(reasonOf(() => decodePayload(encoded.slice(0, encoded.length - 5)))).toBe('truncated');
  });

  test('a field that crosses the end of its metric is malformed', () => {
    expect(reasonOf(() => decodePayload(Buffer.from('1202650000803f', 'hex')))).toBe('malformed');
  });

  test('a zip bomb is too large', () => {
    const algorithm = { name: 'algorithm', datatype: DataType.String, value: 'GZIP' };
    const body = new Uint8Array(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    expect(body.length).toBeLessThan(100_000);
    expect(reasonOf(() => decodePayload(encodePayload({ uuid: COMPRESSED_UUID, metrics: [algorithm], body })))).toBe(
      'too-large',
    );
  });

  test('a payload is inflated to 512 KiB and to twenty times its compressed size, and no further', () => {
    const compressed = (plain: Uint8Array) =>
      encodePayload({
        uuid: COMPRESSED_UUID,
        metrics: [{ name: 'algorithm', datatype: DataType.String, value: 'GZIP' }],
        body: new Uint8Array(gzipSync(plain)),
      });
    const dense = (bytes: number) => encodePayload({ metrics: [], body: new Uint8Array(randomBytes(bytes)) });
    const told: number[] = [];
    decodePayload(compressed(dense(500 * 1024)), undefined, (bytes) => told.push(bytes));
    expect(told).toEqual([500 * 1024 + 4]);
    expect(reasonOf(() => decodePayload(compressed(dense(512 * 1024))))).toBe('too-large');
    const thin = (copies: number) =>
      encodePayload({ metrics: [], body: new Uint8Array(Buffer.concat(Array(copies).fill(randomBytes(1_000)))) });
    expect(reasonOf(() => decodePayload(compressed(thin(15))))).toBe('accepted');
    expect(reasonOf(() => decodePayload(compressed(thin(60))))).toBe('too-large');
  });

  test('compressed payloads within compressed payloads are refused', () => {
    const algorithm = { name: 'algorithm', datatype: DataType.String, value: 'GZIP' };
    const body = new Uint8Array(gzipSync(compressPayload(sample(), 'GZIP')));
    expect(reasonOf(() => decodePayload(encodePayload({ uuid: COMPRESSED_UUID, metrics: [algorithm], body })))).toBe(
      'unsupported',
    );
  });

  test('an unknown compression is refused, and a compressed payload without body', () => {
    const algorithm = { name: 'algorithm', datatype: DataType.String, value: 'LZ4' };
    const bodyOf = (body: Uint8Array | undefined) =>
      encodePayload({ uuid: COMPRESSED_UUID, metrics: [algorithm], body });
    expect(reasonOf(() => decodePayload(bodyOf(new Uint8Array([1]))))).toBe('unsupported');
    expect(reasonOf(() => decodePayload(bodyOf(undefined)))).toBe('malformed');
  });

  test('each limit is kept', () => {
    const table = (rows: number) => ({
      columns: ['a'],
      types: [DataType.Int32],
      rows: Array.from({ length: rows }, () => [1]),
    });
    const nested = (depth: number): PropertySet =>
      depth === 1 ? {} : { a: { type: DataType.PropertySet, value: nested(depth - 1) } };
    const encode = (metric: SparkplugMetric) => encodePayload({ metrics: [metric] });
    const metrics = Array.from({ length: 5_001 }, () => ({ alias: 1, value: true }));
    expect(reasonOf(() => decodePayload(encodePayload({ metrics })))).toBe('too-large');
    expect(reasonOf(() => decodePayload(encodePayload({ metrics: metrics.slice(1) })))).toBe('accepted');
    expect(reasonOf(() => decodePayload(encode({ datatype: DataType.DataSet, value: table(10_000) })))).toBe(
      'too-large',
    );
    expect(reasonOf(() => decodePayload(encode({ datatype: DataType.DataSet, value: table(4_000) })))).toBe('accepted');
    expect(reasonOf(() => decodePayload(encode({ value: 1, properties: nested(5) })))).toBe('too-large');
    expect(reasonOf(() => decodePayload(encode({ value: 1, properties: nested(4) })))).toBe('accepted');
    expect(reasonOf(() => decodePayload(new Uint8Array(1024 * 1024 + 1)))).toBe('too-large');
    expect(reasonOf(() => decodePayload(encodePayload(sample()), { messageBytes: 10 }))).toBe('too-large');
  });

  test('an array that claims more booleans than it has bytes is malformed', () => {
    const value = new Uint8Array([0xff, 0xff, 0xff, 0xff, 1]);
    const encoded = encodePayload({ metrics: [{ datatype: DataType.Bytes, value }] }, { omitDatatypes: true });
    const typed = Buffer.concat([
      Buffer.from([0x12, (encoded[1] ?? 0) + 2, 0x20, DataType.BooleanArray]),
      encoded.subarray(2),
    ]);
    expect(reasonOf(() => decodePayload(typed))).toBe('malformed');
    expect(applyDatatype({ value }, DataType.BooleanArray)).toBeNull();
  });

  test('a data set whose rows are ragged is malformed', () => {
    const set = Buffer.from('0801120161180322020a0022040a000a00', 'hex');
    const encoded = Buffer.concat([Buffer.from([0x12, set.length + 3, 0x8a, 0x01, set.length]), set]);
    expect(reasonOf(() => decodePayload(encoded))).toBe('malformed');
  });
});
