import { deviceKind } from '@sonnenwarte/contract/devices/device';
import { attachedKinds, deviceKinds } from '@sonnenwarte/device-protocol/points/points';
import { expect, test } from 'vitest';
import { rawColumns, rawTableSql } from './telemetry-tables.ts';

test.each(deviceKinds)('the columns of raw_%s are unique, with the fixed ones around those of the points', (kind) => {
  const names = rawColumns(kind).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.slice(0, 3)).toEqual(['device', 'ts', 'received']);
  expect(names.slice(-2)).toEqual(['other', 'flags']);
  expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
});

test.each(deviceKinds)('every value in the range of its point is exact to seven digits in raw_%s', (kind) => {
  for (const { type, point } of rawColumns(kind)) {
    if (point === undefined || type === 'String') continue;
    if (point.accumulates !== false) expect(type).toBe('Float64');
    if (point.unit === 'bitfield' && (point.high ?? 0) > 2 ** 24) expect(type).toBe('Float64');
  }
});

test('a raw table replaces by device and time, in partitions of a day', () => {
  expect(rawTableSql('inverter')).toMatch(
    /ENGINE = ReplacingMergeTree\(received\) PARTITION BY toYYYYMMDD\(ts\) ORDER BY \(device, ts\)$/,
  );
});

test('the kinds of devices are the same for calls as on the wire', () => {
  expect(deviceKind.options).toEqual(attachedKinds);
});
