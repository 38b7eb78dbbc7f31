import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DataType } from '../sparkplug/datatypes.ts';
import { decodePayload, encodePayload } from '../sparkplug/sparkplug-payload.ts';
import { settings } from './points.ts';
import { isSameSetting, type PlainSetting, plainSetting, settingMetric } from './setting-values.ts';

const overTheLine = (name: string, value: PlainSetting, datatype?: number): PlainSetting | undefined => {
  const [metric] = decodePayload(encodePayload({ metrics: [settingMetric(name, value, datatype)] })).metrics;
  return plainSetting(metric?.value ?? null, metric?.datatype);
};

describe('values of settings', () => {
  test('of every setting of the catalogue come back as they were written', () => {
    for (const { name, datatype, columns, low = 0, options } of settings) {
      const row = Object.fromEntries((columns ?? []).map((column) => [column.name, column.low ?? 0]));
      const value =
        options?.[0]?.value ??
        (datatype === DataType.DataSet
          ? [row]
          : datatype === DataType.Boolean
            ? true
            : datatype === DataType.String
              ? 'UTC'
              : low);
      expect(overTheLine(name, value)).toEqual(value);
    }
  });

  test('of floats are the decimal numbers that they stand for', () => {
    expect(overTheLine('Setting/PowerFactor', 0.9)).toBe(0.9);
    expect(overTheLine('Setting/OvUv1', [{ over: 253.1, overTime: 0.1, under: 195.5, underTime: 3 }])).toEqual([
      { over: 253.1, overTime: 0.1, under: 195.5, underTime: 3 },
    ]);
  });

  test('go as their birth declares them', () => {
    expect(settingMetric('Outputs/Cap', 5, DataType.Int32)).toEqual({
      name: 'Outputs/Cap',
      datatype: DataType.Int32,
      value: 5,
    });
    expect(settingMetric('Outputs/On', true, DataType.UInt8).value).toBe(1);
    expect(settingMetric('Outputs/On', 1, DataType.Boolean).value).toBe(true);
  });

  test('that are none, or too large, are not taken', () => {
    expect(plainSetting(Number.NaN, DataType.Float)).toBeUndefined();
    expect(plainSetting('x'.repeat(129), DataType.String)).toBeUndefined();
    expect(plainSetting(new Uint8Array(3), DataType.Bytes)).toBeUndefined();
    const table = { columns: ['a'], types: [DataType.Double], rows: Array.from({ length: 65 }, () => [1]) };
    expect(plainSetting(table, DataType.DataSet)).toBeUndefined();
    expect(plainSetting({ ...table, rows: [['text']] }, DataType.DataSet)).toBeUndefined();
    expect(plainSetting({ ...table, columns: ['__proto__'], rows: [[1]] }, DataType.DataSet)).toBeUndefined();
  });
});

describe('what was wanted and what is told', () => {
  test('are the same within half of the last digit that was asked for, and not beyond', () => {
    expect(isSameSetting('Setting/ExportLimit', 5_000, 5_000.4)).toBe(true);
    expect(isSameSetting('Setting/ExportLimit', 5_000, 5_001)).toBe(false);
    expect(isSameSetting('Setting/PowerFactor', 0.95, 0.9500001)).toBe(true);
    expect(isSameSetting('Setting/PowerFactor', 0.95, 0.94)).toBe(false);
    expect(isSameSetting('Setting/CtRatio', 1.5, 1.9)).toBe(false);
    expect(isSameSetting('Setting/Afci', true, 1)).toBe(true);
    expect(isSameSetting('Setting/Afci', true, false)).toBe(false);
    expect(isSameSetting('Setting/GridCode', 'G98', 'G99')).toBe(false);
  });

  test('of tables are compared row by row', () => {
    const rows = [
      { start: 0, end: 60 },
      { start: 60, end: 120 },
    ];
    expect(isSameSetting('Setting/Schedule', rows, structuredClone(rows))).toBe(true);
    expect(isSameSetting('Setting/Schedule', rows, rows.slice(0, 1))).toBe(false);
    expect(isSameSetting('Setting/Schedule', rows, [...rows].reverse())).toBe(false);
    expect(isSameSetting('Setting/Schedule', rows, [{ start: 0 }, { start: 60, end: 120 }])).toBe(false);
  });

  test('are the same after any way over the line', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true, min: -1_000_000, max: 1_000_000 }), (value) => {
        const wanted = Number(value.toPrecision(6));
        return isSameSetting('Outputs/Cap', wanted, overTheLine('Outputs/Cap', wanted, DataType.Float));
      }),
    );
  });
});
