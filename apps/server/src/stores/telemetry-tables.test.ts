import { deviceKind } from '@sonnenwarte/contract/devices/device';
import { attachedKinds, deviceKinds, pointByName } from '@sonnenwarte/device-protocol/points/points';
import { expect, test } from 'vitest';
import { rawTableOf, rawTableSql } from './telemetry-tables.ts';

test.each(deviceKinds)('the columns of raw_%s are unique, and so is what is beside them', (kind) => {
  const { numbers, texts } = rawTableOf(kind);
  const names = [
    ...['device', 'ts', 'received', 'other', 'beside', 'flags'],
    ...numbers.flatMap(({ column, former }) => [column, former]),
    ...texts.map(({ name }) => name),
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
  expect(new Set(numbers.map(({ id }) => id)).size).toBe(numbers.length);
});

test.each(deviceKinds)('every value in the range of its point is exact to seven digits in raw_%s', (kind) => {
  for (const { type, point } of rawTableOf(kind).numbers) {
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

test('the steps in which numbers are stored are what they always were: others would read what is stored wrongly', () => {
  const stepsByUnit: Record<string, number> = {
    ...{
      W: 10,
      var: 10,
      VA: 10,
      V: 10,
      A: 100,
      mA: 10,
      Hz: 100,
      kOhm: 10,
      kWh: 1_000,
      '%': 10,
      degC: 10,
      rpm: 1,
      h: 10,
    },
    ...{ s: 1, dBm: 1, kB: 1, 'ct/kWh': 100, 'W/m2': 10, 'm/s': 10, min: 1, '%/min': 10, '1': 1_000 },
    ...{ bool: 1, enum: 1, bitfield: 1 },
  };
  const finer: Record<string, number> = {
    'Bat/CellVoltageMax': 1_000,
    'Bat/CellVoltageMin': 1_000,
    'Sys/SupplyVoltage': 100,
  };
  for (const kind of deviceKinds) {
    for (const { point } of rawTableOf(kind).numbers) {
      expect([point.name, pointByName(kind, point.name)?.steps]).toEqual([
        point.name,
        finer[point.name] ?? stepsByUnit[point.unit],
      ]);
    }
  }
});
