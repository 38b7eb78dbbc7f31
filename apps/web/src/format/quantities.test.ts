import { languages, localeOf } from '@sonnenwarte/contract/languages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  columnScale,
  energyAxis,
  energyParts,
  energyQuantity,
  formatChange,
  formatEnergy,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPoint,
  formatPosition,
  formatPower,
  formatPrice,
  NOT_MEASURED,
  powerAxis,
  powerQuantity,
  unitSign,
} from './quantities.ts';

describe('what was not measured', () => {
  test('is an en dash and never 0', () => {
    expect(formatPower(null, 'en-GB')).toBe('–');
    expect(formatEnergy(null, 'de')).toBe('–');
    expect(formatPercent(null, 'de')).toBe('–');
    expect(formatMoney(null, 'EUR', 'de')).toBe('–');
    expect(powerQuantity(Number.NaN, 'de')).toEqual({ value: NOT_MEASURED, unit: '' });
  });
});

describe('power', () => {
  test('is given in W below 1 kW and keeps three digits above', () => {
    expect(formatPower(0, 'en-GB')).toBe('0\u00a0W');
    expect(formatPower(999.4, 'en-GB')).toBe('999\u00a0W');
    expect(formatPower(999.6, 'en-GB')).toBe('1.00\u00a0kW');
    expect(formatPower(6844, 'en-GB')).toBe('6.84\u00a0kW');
    expect(formatPower(9996, 'en-GB')).toBe('10.0\u00a0kW');
    expect(formatPower(123_456, 'de')).toBe('123\u00a0kW');
    expect(formatPower(999_700, 'de')).toBe('1,00\u00a0MW');
  });

  test('never shows a minus before nothing', () => {
    expect(formatPower(-0.4, 'en-GB')).toBe('0\u00a0W');
    expect(formatPower(-1380, 'en-GB')).toBe('\u22121.38\u00a0kW');
  });

  test('has at most three digits before its unit whatever its size', () => {
    fc.assert(
      fc.property(fc.double({ min: -9e11, max: 9e11, noNaN: true }), (powerW) => {
        const { value } = powerQuantity(powerW, 'en-GB');
        expect(value.replace('\u2212', '').split('.')[0]?.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe('energy', () => {
  test('is told in kWh from the first on, then in MWh', () => {
    expect(formatEnergy(0, 'de')).toBe('0,00\u00a0kWh');
    expect(formatEnergy(420, 'de')).toBe('0,42\u00a0kWh');
    expect(formatEnergy(38_440, 'de')).toBe('38,4\u00a0kWh');
    expect(energyQuantity(35_943_000, 'en-GB')).toEqual({ value: '35.9', unit: 'MWh' });
  });
});

describe('numbers by language', () => {
  test.each([
    ['de', '12.345,6', '96\u00a0%'],
    ['en', '12,345.6', '96%'],
    ['fr', '12\u202f345,6', '96\u00a0%'],
    ['it', '12.345,6', '96%'],
    ['es', '12.345,6', '96\u00a0%'],
    ['pt', '12\u00a0345,6', '96%'],
    ['pl', '12\u00a0345,6', '96%'],
    ['cs', '12\u00a0345,6', '96\u00a0%'],
    ['ro', '12.345,6', '96\u00a0%'],
    ['ko', '12,345.6', '96%'],
    ['zh_CN', '12,345.6', '96%'],
  ] as const)('%s writes %s', (language, number, percent) => {
    expect(formatNumber(12_345.6, localeOf(language), 1)).toBe(number);
    expect(formatPercent(96, localeOf(language))).toBe(percent);
  });

  test.each(languages)('a value and its unit stay on one line in %s', (language) => {
    const locale = localeOf(language);
    for (const text of [formatPower(12_345, locale), formatEnergy(12_345, locale), formatPercent(45, locale)])
      expect(text).not.toMatch(/ /);
  });
});

describe('money', () => {
  test('keeps every digit of a sum that a float would bend', () => {
    expect(formatMoney('90071992547409931.27', 'EUR', 'en-GB')).toBe('€90,071,992,547,409,931.27');
  });

  test('takes decimals and places of the currency', () => {
    expect(formatMoney('1.14', 'EUR', 'de')).toBe('1,14\u00a0€');
    expect(formatMoney('1200', 'KRW', 'ko')).toBe('₩1,200');
  });

  test('refuses what is not a decimal', () => {
    expect(formatMoney('1e3', 'EUR', 'de')).toBe('–');
    expect(formatMoney('', 'EUR', 'de')).toBe('–');
  });

  test('shows a price with its fractions of a cent', () => {
    expect(formatPrice('0.0811', 'EUR', 'en-GB')).toBe('€0.0811/kWh');
  });
});

test('a change carries its sign, and no change carries none', () => {
  expect(formatChange(12, 'en-GB')).toBe('+12%');
  expect(formatChange(-3.4, 'en-GB')).toBe('\u22123%');
  expect(formatChange(0, 'en-GB')).toBe('0%');
});

test('a point in kWh and one in Wh of equal size read alike', () => {
  expect(formatPoint(12.34, 'kWh', 'en-GB')).toEqual(formatPoint(12_340, 'Wh', 'en-GB'));
  expect(formatPoint(230.12, 'V', 'en-GB')).toEqual({ value: '230.1', unit: 'V' });
  expect(formatPoint('idle', '', 'en-GB')).toEqual({ value: 'idle', unit: '' });
});

test('units of the catalogue are written as the language writes them', () => {
  expect(formatPoint(21.25, 'degC', 'de')).toEqual({ value: '21,3', unit: '°C' });
  expect(formatPoint(2754.8, 'kOhm', 'de').unit).toBe('kΩ');
  expect(['de', 'fr', 'pl', 'en-GB', 'ko'].map((locale) => unitSign('rpm', locale))).toEqual([
    '1/min',
    'tr/min',
    'obr./min',
    'rpm',
    'rpm',
  ]);
  expect(formatPoint(96.1, '%', 'de')).toEqual({ value: '96,1\u00a0%', unit: '' });
});

test('labels of an axis share one unit and have no idle decimals', () => {
  expect(powerAxis([-5000, 0, 5000, 10_000], 'en-GB')).toEqual(['\u22125\u00a0kW', '0', '5\u00a0kW', '10\u00a0kW']);
  expect(powerAxis([0, 2500, 5000], 'de')).toEqual(['0', '2,5\u00a0kW', '5,0\u00a0kW']);
  expect(energyAxis([0, 250, 500], 'de')).toEqual(['0', '0,25\u00a0kWh', '0,50\u00a0kWh']);
});

test('temperatures are in °F for who wants imperial units, everything else stays as it is', () => {
  expect(formatPoint(25.3, 'degC', 'en-GB')).toEqual({ value: '25.3', unit: '°C' });
  expect(formatPoint(25, 'degC', 'en-GB', 'imperial')).toEqual({ value: '77', unit: '°F' });
  expect(formatPoint(-40, 'degC', 'en-GB', 'imperial')).toEqual({ value: '\u221240', unit: '°F' });
  expect(formatPoint(1500, 'W', 'en-GB', 'imperial')).toEqual(formatPoint(1500, 'W', 'en-GB'));
});

describe('a column of numbers', () => {
  const amounts = fc.array(fc.option(fc.double({ min: -1e12, max: 1e12, noNaN: true })), { maxLength: 50 });

  test('has one unit and decimals for all, and its largest number stays below 10,000 where there is a larger unit', () => {
    fc.assert(
      fc.property(fc.constantFrom('power' as const, 'energy' as const), amounts, (kind, values) => {
        const { unit, holds, decimals } = columnScale(kind, values);
        const largest = Math.max(0, ...values.map((value) => Math.abs(value ?? 0)));
        expect(decimals).toBe(2);
        expect(unit).toMatch(/^[kMG]Wh?$/);
        if (!unit.startsWith('G')) expect(largest / holds).toBeLessThan(10_000);
        if (!unit.startsWith('k')) expect(largest / holds).toBeGreaterThanOrEqual(10);
      }),
    );
  });

  test('of a page of plants is in kW, however small one of them is', () => {
    expect(columnScale('power', [48_400, 542, 0, null])).toEqual({ unit: 'kW', holds: 1_000, decimals: 2 });
    expect(columnScale('energy', [34_400_000, 900_000])).toEqual({ unit: 'MWh', holds: 1_000_000, decimals: 2 });
    expect(columnScale('count', [3])).toEqual({ unit: '', holds: 1, decimals: 0 });
  });
});

describe('parts beside their sum', () => {
  const shownDigits = (text: string): number => Number(text.replaceAll(/[^\d]/g, ''));

  test('add up as they are shown, and each is off by less than a digit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 6 }),
        (valuesWh) => {
          const { parts, sum } = energyParts(valuesWh, 'en-GB');
          const unit = sum.split('\u00a0')[1];
          expect(parts.every((part) => part.endsWith(`\u00a0${unit}`))).toBe(true);
          expect(parts.reduce((all, part) => all + shownDigits(part), 0)).toBe(shownDigits(sum));
          expect(sum).toBe(
            formatEnergy(
              valuesWh.reduce((all, value) => all + value, 0),
              'en-GB',
            ),
          );
        },
      ),
    );
  });

  test('say what was not measured, which adds nothing', () => {
    expect(energyParts([null, 1234, null, 0], 'de-DE')).toEqual({
      parts: ['–', '1,23\u00a0kWh', '–', '0,00\u00a0kWh'],
      sum: '1,23\u00a0kWh',
    });
    expect(energyParts([null], 'de-DE')).toEqual({ parts: ['–'], sum: '–' });
  });
});

test('what is below zero has a minus sign in every language, and no hyphen', () => {
  for (const locale of languages.map(localeOf)) {
    const shown = [
      formatChange(-84, locale),
      formatPercent(-84, locale),
      formatPower(-49, locale),
      formatNumber(-1.5, locale, 1),
      formatMoney('-3.40', 'EUR', locale),
      ...powerAxis([-2000, 0, 2000], locale).slice(0, 1),
    ];
    for (const text of shown) {
      expect(text).toContain('\u2212');
      expect(text).not.toContain('-');
    }
  }
});

test('a position keeps its numbers apart by a sign that is no decimal sign', () => {
  const position = { latitude: 48.1371, longitude: -11.5754 };
  expect(formatPosition(position, 'de-DE')).toBe('48,1371; \u221211,5754');
  expect(formatPosition(position, 'en-GB')).toBe('48.1371, \u221211.5754');
});
