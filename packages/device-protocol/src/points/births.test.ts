import { describe, expect, test } from 'vitest';
import { DataType } from '../sparkplug/datatypes.ts';
import { decodePayload, encodePayload } from '../sparkplug/sparkplug-payload.ts';
import {
  AliasTable,
  bdSeqMetric,
  bdSeqOf,
  birthProperties,
  deathMatchesBirth,
  deathPayload,
  SequenceTracker,
} from './births.ts';

describe('aliases', () => {
  const table = new AliasTable();
  table.register([
    { name: 'Temp/Ambient', alias: 0, datatype: DataType.Int32, value: 1 },
    { name: 'AC/ActivePower', alias: 1, datatype: DataType.Float, value: 2 },
    { name: 'State/GridRelay', datatype: DataType.Boolean, value: true },
    { alias: 9, value: 5 },
  ]);

  test('a metric by alias gets the name of its birth and its value read by the datatype of the birth', () => {
    expect(table.resolve({ alias: 0, value: 4_294_967_291 })).toEqual({
      name: 'Temp/Ambient',
      datatype: DataType.Int32,
      value: -5,
    });
    expect(table.resolve({ alias: 1, value: 1.5 })).toEqual({
      name: 'AC/ActivePower',
      datatype: DataType.Float,
      value: 1.5,
    });
  });

  test('a metric by name is resolved too, known from the birth or not', () => {
    expect(table.resolve({ name: 'State/GridRelay', value: true })).toEqual({
      name: 'State/GridRelay',
      datatype: DataType.Boolean,
      value: true,
    });
    expect(table.resolve({ name: 'New', value: 3 })).toEqual({ name: 'New', datatype: undefined, value: 3 });
  });

  test('an alias that no birth declared is unknown, as is a metric without either', () => {
    expect(table.resolve({ alias: 77, value: 1 })).toBeUndefined();
    expect(table.resolve({ alias: 9, value: 1 })).toBeUndefined();
    expect(table.resolve({ value: 1 })).toBeUndefined();
  });

  test('a new birth forgets the aliases of the one before', () => {
    const reborn = new AliasTable();
    reborn.register([{ name: 'A', alias: 1, datatype: DataType.Float, value: 0 }]);
    reborn.register([{ name: 'B', alias: 2, datatype: DataType.Float, value: 0 }]);
    expect(reborn.resolve({ alias: 1, value: 1 })).toBeUndefined();
    expect(reborn.resolve({ alias: 2, value: 1 })?.name).toBe('B');
    expect(reborn.size).toBe(1);
  });
});

describe('sequence numbers', () => {
  test('0 follows 255 without a gap', () => {
    const tracker = new SequenceTracker();
    tracker.reset();
    for (let count = 1; count <= 600; count += 1) expect(tracker.accept(count & 255)).toBe('ok');
  });

  test('a hole is a gap once and the numbers after it go on from there', () => {
    const tracker = new SequenceTracker();
    tracker.reset(0);
    expect([1, 4, 5, 5, 6].map((seq) => tracker.accept(seq))).toEqual(['ok', 'gap', 'ok', 'duplicate', 'ok']);
    expect(tracker.expected).toBe(7);
  });

  test('a message that comes late fills its hole and is no second gap', () => {
    const tracker = new SequenceTracker();
    tracker.reset(253);
    expect([0, 254, 255, 255, 1].map((seq) => tracker.accept(seq))).toEqual(['gap', 'ok', 'ok', 'duplicate', 'ok']);
    expect(tracker.hasHoles).toBe(false);
  });

  test('a hole stays until it is filled, given up or born over', () => {
    const tracker = new SequenceTracker();
    tracker.reset();
    tracker.accept(3);
    expect(tracker.hasHoles).toBe(true);
    tracker.forgetHoles();
    expect(tracker.hasHoles).toBe(false);
    tracker.accept(9);
    tracker.reset();
    expect(tracker.hasHoles).toBe(false);
  });

  test('a node that starts at 0 again without a birth is a gap, not a row of duplicates', () => {
    const tracker = new SequenceTracker();
    tracker.reset(100);
    expect([0, 1, 2].map((seq) => tracker.accept(seq))).toEqual(['gap', 'ok', 'ok']);
  });

  test('a birth starts the count again', () => {
    const tracker = new SequenceTracker();
    tracker.reset();
    tracker.accept(1);
    tracker.accept(2);
    tracker.reset();
    expect(tracker.accept(1)).toBe('ok');
  });

  test('the first number without a birth is taken as it comes', () => {
    const tracker = new SequenceTracker();
    expect(tracker.expected).toBeUndefined();
    expect([200, 201].map((seq) => tracker.accept(seq))).toEqual(['ok', 'ok']);
  });
});

describe('properties of a birth', () => {
  test('tell unit, range and whether commands may write', () => {
    expect(birthProperties({ unit: '%', low: 10, high: 100 }, false)).toEqual({
      engUnit: { type: DataType.String, value: '%' },
      readOnly: { type: DataType.Boolean, value: false },
      engLow: { type: DataType.Double, value: 10 },
      engHigh: { type: DataType.Double, value: 100 },
    });
    expect(Object.keys(birthProperties({ unit: 'text' }))).toEqual(['engUnit', 'readOnly']);
  });
});

describe('bdSeq', () => {
  test('survives the wire, wraps at 256 and a death has no sequence number', () => {
    const death = decodePayload(encodePayload(deathPayload(258, 1_760_000_000_000)));
    expect(bdSeqOf(death)).toBe(2);
    expect(death.seq).toBeUndefined();
    expect(bdSeqMetric(3).value).toBe(3);
    expect(bdSeqOf({ metrics: [] })).toBeUndefined();
  });

  test('a death of another connection does not match, one without the number does', () => {
    expect(deathMatchesBirth(1, 2)).toBe(false);
    expect(deathMatchesBirth(2, 2)).toBe(true);
    expect(deathMatchesBirth(undefined, 2)).toBe(true);
  });
});
