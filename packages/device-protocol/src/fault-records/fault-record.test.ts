import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DataType } from '../sparkplug/datatypes.ts';
import { decodePayload, encodePayload } from '../sparkplug/sparkplug-payload.ts';
import { decodeFaultRecord, encodeFaultRecord, type FaultRecord, FaultRecordError } from './fault-record.ts';
import {
  assembled,
  type ListedRecord,
  partMetrics,
  RecordName,
  readRecordFrame,
  recordListMetric,
  recordParts,
  wantedParts,
} from './record-parts.ts';

const name = fc.constantFrom('AC/L1/Voltage', 'AC/L1/Current', 'DC/BusVoltage', 'Vendor/X1');
const finite = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => (value === 0 ? 0 : value));

const records: fc.Arbitrary<FaultRecord> = fc
  .record({
    index: fc.integer({ min: 1, max: 2_147_483_647 }),
    timeMs: fc.integer({ min: 0, max: 4e12 }),
    code: fc.integer({ min: 0, max: 9_999 }),
    trigger: fc.option(fc.record({ name, value: finite, limit: finite }), { nil: undefined }),
    rateHz: fc.integer({ min: 1, max: 1_000_000 }),
    nominalHz: fc.constantFrom(50, 60),
    samples: fc.integer({ min: 1, max: 300 }),
    registers: fc.array(
      fc.record({ name, value: fc.oneof(finite, fc.boolean(), fc.constantFrom('', 'idle', 'läuft')), low: finite }),
      { maxLength: 20 },
    ),
    channels: fc.uniqueArray(name, { maxLength: 4 }),
    seed: fc.integer({ min: -32_768, max: 32_767 }),
  })
  .map(({ samples, channels, seed, ...rest }) => ({
    ...rest,
    before: channels.length === 0 ? 0 : Math.floor(samples / 3),
    channels: channels.map((channel, place) => ({
      name: channel,
      unit: 'V',
      scale: 0.05,
      samples: Int16Array.from({ length: samples }, (_, at) => (seed * (place + 1) + 31 * at) % 32_768),
    })),
  }));

const overTheWire = (metrics: Parameters<typeof encodePayload>[0]['metrics']) =>
  decodePayload(encodePayload({ timestampMs: 1, seq: 1, metrics })).metrics.map(({ name: told = '', value }) => ({
    name: told,
    value,
  }));

describe('a fault record', () => {
  test('is read as it was written, over the wire and in parts of any size, in any order and doubled', () => {
    fc.assert(
      fc.property(
        records,
        fc.integer({ min: 256, max: 16_384 }),
        fc.infiniteStream(fc.nat()),
        (record, size, random) => {
          const bytes = encodeFaultRecord(record);
          const parts = recordParts(record.index, bytes, Math.max(size, Math.ceil(bytes.length / 64)));
          const told = [...parts, ...parts]
            .map((part) => ({ part, at: random.next().value ?? 0 }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ part }) => readRecordFrame(overTheWire(partMetrics(part)))?.part);
          const there = new Map(told.map((part) => [part?.number ?? -1, part?.data ?? new Uint8Array()]));
          const whole = assembled(
            [...there].toSorted(([a], [b]) => a - b).map(([, data]) => data),
            bytes.length,
            parts[0]?.sha256 ?? '',
          );
          expect(whole).toEqual(bytes);
          expect(decodeFaultRecord(whole ?? new Uint8Array())).toEqual(record);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('that is damaged anywhere is no record: nothing but its own error is thrown, and the parts do not add up', () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.integer({ min: 1, max: 255 }), (record, place, flip) => {
        const bytes = encodeFaultRecord(record);
        const damaged = Uint8Array.from(bytes);
        damaged[place % bytes.length] = (damaged[place % bytes.length] ?? 0) ^ flip;
        expect(assembled([damaged], bytes.length, recordParts(1, bytes)[0]?.sha256 ?? '')).toBeUndefined();
        try {
          decodeFaultRecord(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(FaultRecordError);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('of whatever bytes throws nothing but its own error', () => {
    const header = fc.json().map((text) => {
      const told = new TextEncoder().encode(text);
      const bytes = new Uint8Array(8 + told.length);
      new DataView(bytes.buffer).setUint32(0, 0x31465650, true);
      new DataView(bytes.buffer).setUint32(4, told.length, true);
      bytes.set(told, 8);
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 4_000 }), header), (bytes) => {
        expect(() => decodeFaultRecord(bytes)).toThrow(FaultRecordError);
      }),
    );
  });

  test.each([
    ['more than 16 channels', { channels: Array.from({ length: 17 }, (_, at) => channelNamed(`A/C${at}`)) }],
    ['more than 200 values', { registers: Array.from({ length: 201 }, (_, at) => ({ name: `A/V${at}`, value: at })) }],
    ['a name with a control character', { registers: [{ name: 'A/B\u0000', value: 1 }] }],
    ['a text that turns the direction of text', { registers: [{ name: 'A/B', value: '\u202Eabc' }] }],
    ['a channel twice', { channels: [channelNamed('A/B'), channelNamed('A/B')] }],
    ['a time that is none', { timeMs: Number.NaN }],
    ['a scale of 0', { channels: [{ ...channelNamed('A/B'), scale: 0 }] }],
  ])('with %s is refused', (_, more) => {
    const [record] = fc.sample(records, { numRuns: 1, seed: 7 });
    const bytes = encodeFaultRecord({ ...(record as FaultRecord), before: 0, ...more } as FaultRecord);
    expect(() => decodeFaultRecord(bytes)).toThrow(FaultRecordError);
  });
});

function channelNamed(channel: string) {
  return { name: channel, unit: 'V', scale: 1, samples: new Int16Array(2) };
}

describe('what a message says of fault records', () => {
  const listed: fc.Arbitrary<ListedRecord[]> = fc.uniqueArray(
    fc.record({
      index: fc.integer({ min: 1, max: 1_000_000 }),
      timeMs: fc.integer({ min: 0, max: 4e12 }),
      code: fc.integer({ min: 0, max: 9_999 }),
      size: fc.integer({ min: 1, max: 262_144 }),
    }),
    { selector: ({ index }) => index, maxLength: 64 },
  );

  test('is its list, as it was told', () => {
    fc.assert(
      fc.property(listed, (list) => {
        expect(readRecordFrame(overTheWire([recordListMetric(list)]))).toEqual({ list, refused: false });
      }),
    );
  });

  test('is refused whole where a list has a row out of bounds, is too long, or tells a record twice', () => {
    const row: ListedRecord = { index: 1, timeMs: 1, code: 1, size: 1 };
    for (const list of [
      [row, row],
      [{ ...row, index: 0 }],
      [{ ...row, size: 262_145 }],
      [{ ...row, timeMs: -1 }],
      Array.from({ length: 65 }, (_, at) => ({ ...row, index: at + 1 })),
    ])
      expect(readRecordFrame([recordListMetric(list)].map(named))).toEqual({ refused: true });
  });

  test('of whatever values never throws, and no part is taken whose bytes are not those of its checksum', () => {
    const value = fc.oneof(
      fc.integer(),
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array({ maxLength: 64 }),
      fc.record({ columns: fc.array(fc.string()), types: fc.array(fc.nat()), rows: fc.array(fc.array(fc.integer())) }),
    );
    const metric = fc.record({ name: fc.constantFrom(...Object.values(RecordName)), value });
    fc.assert(
      fc.property(fc.array(metric, { maxLength: 12 }), (metrics) => {
        expect(readRecordFrame(metrics)?.part).toBeUndefined();
      }),
    );
  });

  test('lacks a part of which any field is another', () => {
    const [part] = recordParts(5, new Uint8Array(1_000).fill(7), 400);
    if (part === undefined) throw new Error('no part');
    const good = partMetrics(part);
    expect(readRecordFrame(good.map(named))?.part).toEqual(part);
    const others: Record<string, unknown> = {
      [RecordName.partRecord]: 0,
      [RecordName.partNumber]: 3,
      [RecordName.partCount]: 65,
      [RecordName.partSize]: 262_145,
      [RecordName.partSha256]: 'x',
      [RecordName.partCrc32]: 1,
      [RecordName.partData]: new Uint8Array(334).fill(8),
    };
    for (const [told, value] of Object.entries(others)) {
      const changed = good.map((each) => (each.name === told ? { ...each, value: value as number } : each));
      expect(readRecordFrame(changed.map(named))).toEqual({ refused: true });
      expect(readRecordFrame(good.filter((each) => each.name !== told).map(named))?.part).toBeUndefined();
    }
    expect(DataType.Bytes).toBe(good.find((each) => each.name === RecordName.partData)?.datatype);
  });

  test('names the parts that are wanted, bounded; all where it names none', () => {
    expect(wantedParts(undefined)).toBeUndefined();
    expect(wantedParts('')).toBeUndefined();
    expect(wantedParts('0,3,x,1.5')).toEqual(new Set([0, 3]));
    expect(wantedParts(Array.from({ length: 1_000 }, (_, at) => at).join(','))?.size).toBe(64);
  });
});

function named({ name: told = '', value }: ReturnType<typeof partMetrics>[number]) {
  return { name: told, value };
}
