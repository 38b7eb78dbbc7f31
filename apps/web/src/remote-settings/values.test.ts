import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameValue, numberText, refusalOf, rowRefusal, scaleOf, typedNumber } from './values.ts';

const rule = (own: Partial<SettingRule>): SettingRule => ({
  name: 'Setting/ExportLimit',
  group: 'exportLimit',
  form: 'number',
  unit: 'W',
  low: 0,
  high: 32_000,
  step: 1,
  decimals: 0,
  default: null,
  options: [],
  columns: [],
  mostRows: 0,
  labelKey: '',
  meaningKey: '',
  riskKey: null,
  isDangerous: false,
  ...own,
});

describe('scale of a setting', () => {
  test('what takes kilowatts is shown in kilowatts, all else in its own unit', () => {
    expect(scaleOf(rule({}))).toMatchObject({ unit: 'kW', holds: 1_000 });
    expect(scaleOf(rule({ unit: '%', high: 100 }))).toMatchObject({ unit: '%', holds: 1 });
    expect(scaleOf(rule({ unit: 'kOhm', high: 1_000 })).unit).toBe('kΩ');
    expect(scaleOf(rule({ unit: 'enum' })).unit).toBe('');
  });

  test('what is shown of any value and typed again is the same value, in the signs of the language', () => {
    const scale = scaleOf(rule({}));
    expect(typedNumber('17,25', scale, 'de')).toBe(17_250);
    expect(typedNumber('17.25', scale, 'en')).toBe(17_250);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5_000_000 }), fc.constantFrom('de', 'en', 'fr', 'cs'), (watts, locale) => {
        expect(typedNumber(numberText(watts, scale, locale, false), scale, locale)).toBe(watts);
      }),
    );
  });

  test('a power factor below zero is typed with either minus', () => {
    const scale = scaleOf(rule({ unit: '1', decimals: 2 }));
    expect(typedNumber('-0,95', scale, 'de')).toBe(-0.95);
    expect(typedNumber(numberText(-0.95, scale, 'de', false), scale, 'de')).toBe(-0.95);
  });
});

describe('bounds', () => {
  test('a number is refused below, above and between the steps, and where it is none', () => {
    expect(refusalOf(rule({}), -1)).toEqual({ why: 'low', bound: 0 });
    expect(refusalOf(rule({}), 32_001)).toEqual({ why: 'high', bound: 32_000 });
    expect(refusalOf(rule({}), 5_000.5)).toEqual({ why: 'step', bound: 1 });
    expect(refusalOf(rule({}), 'five')).toEqual({ why: 'notNumber' });
    expect(refusalOf(rule({}), null)).toEqual({ why: 'empty' });
    expect(refusalOf(rule({}), 32_000)).toBeUndefined();
  });

  test('decimals that the device keeps are no step between', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100, max: 100 }), (hundredths) => {
        const factor = rule({ unit: '1', low: -1, high: 1, step: 0.01, decimals: 2 });
        expect(refusalOf(factor, hundredths / 100)).toBeUndefined();
      }),
    );
  });

  test('choices, switches and texts take only what they offer', () => {
    const choice = rule({ form: 'choice', options: [{ value: 1, labelKey: null }] });
    expect(refusalOf(choice, 1)).toBeUndefined();
    expect(refusalOf(choice, 2)).toEqual({ why: 'notOffered' });
    expect(refusalOf(rule({ form: 'switch' }), 1)).toEqual({ why: 'notOffered' });
    expect(refusalOf(rule({ form: 'text' }), '  ')).toEqual({ why: 'empty' });
  });

  test('rows of a table hold to the bounds of their columns, to each other, and to their number', () => {
    const column = (name: string) => ({ name, labelKey: '', unit: 'V', low: 0, high: 600, step: 0.1, decimals: 1 });
    const table = rule({
      name: 'Setting/OvUv1',
      form: 'table',
      columns: [column('over'), column('under')],
      mostRows: 1,
    });
    expect(refusalOf(table, [{ over: 253, under: 195.5 }])).toBeUndefined();
    expect(refusalOf(table, [])).toEqual({ why: 'empty' });
    expect(refusalOf(table, [{ over: 253, under: 601 }])).toEqual({ why: 'high', bound: 600 });
    expect(refusalOf(table, [{ over: 253 }])).toEqual({ why: 'empty' });
    expect(refusalOf(table, [{ over: 190, under: 195.5 }])).toEqual({ why: 'crossed' });
    expect(
      refusalOf(table, [
        { over: 253, under: 195.5 },
        { over: 253, under: 195.5 },
      ]),
    ).toEqual({ why: 'rows', bound: 1 });
  });

  test('a period of a schedule lasts half an hour at least and overlaps with none of the same day', () => {
    const periods = rule({ name: 'Setting/Schedule' });
    const night = { start: 0, end: 300, days: 127, mode: 1 };
    expect(rowRefusal(periods, { ...night, end: 20 }, [])).toEqual({ why: 'period', bound: 30 });
    expect(rowRefusal(periods, { ...night, start: 240, end: 400 }, [night])).toEqual({ why: 'overlap' });
    expect(rowRefusal(periods, { ...night, start: 300, end: 400 }, [night])).toBeUndefined();
    expect(rowRefusal(periods, { ...night, start: 240, end: 400, days: 2 }, [{ ...night, days: 1 }])).toBeUndefined();
  });
});

test('values are the same where a device cannot tell them apart, tables row by row', () => {
  expect(isSameValue(0.95, 0.949_999_99)).toBe(true);
  expect(isSameValue(5_000, 5_001)).toBe(false);
  expect(isSameValue([{ a: 1 }], [{ a: 1 }])).toBe(true);
  expect(isSameValue([{ a: 1 }], [{ a: 1, b: 2 }])).toBe(false);
  expect(isSameValue(null, 0)).toBe(false);
});
