import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settings } from '../points/points.ts';
import { blockerOf, checkSetting } from './check-setting.ts';
import type { SettingContent } from './setting-content.ts';
import { settingFacts } from './setting-facts.ts';
import { compareVersions, narrowingOf } from './setting-profiles.ts';
import {
  commonRules,
  foreignRule,
  type SettingRule,
  type SettingSubject,
  settingRule,
  settingRules,
} from './setting-rules.ts';

const hybrid: SettingSubject = { kind: 'inverter', model: 'SW-H10T', firmware: '3.14.2' };
const older: SettingSubject = { kind: 'inverter', model: 'SW-H8T', firmware: '3.12.7' };
const solar: SettingSubject = { kind: 'inverter', model: 'SW-S20T', firmware: '3.14.2' };
const other: SettingSubject = { kind: 'inverter', model: 'Somebody 8000', firmware: '' };

function rule(name: string, subject: SettingSubject = hybrid): SettingRule {
  const found = settingRule(subject, name);
  if (found === undefined) throw new Error(`${subject.model} has no ${name}`);
  return found;
}

const numbers = settingRules(other).filter(({ form }) => form === 'number');

describe('rules of settings', () => {
  test('are known for every setting of the catalogue, with a group, who may write it and what it means', () => {
    for (const { name, kinds } of settings) {
      expect(settingFacts[name], name).toBeDefined();
      const [kind = 'inverter'] = kinds;
      const found = rule(name, { kind, model: '', firmware: '' });
      expect(found.levels.length, name).toBeGreaterThan(0);
      expect(found.meaningKey).toMatch(/^remote-settings\.meaning\.[a-z]\w+$/);
    }
  });

  test('have words for what they mean and what they can break, and for their columns and groups', () => {
    const phrases = JSON.parse(
      readFileSync(new URL('../../../phrases/src/remote-settings/en.json', import.meta.url), 'utf8'),
    ) as Record<string, Record<string, string>>;
    const textOf = (key: string): string | undefined => {
      const [, folder = '', word = ''] = key.split('.');
      return phrases[folder]?.[word];
    };
    for (const { name, kinds } of settings) {
      const [kind = 'inverter'] = kinds;
      const { meaningKey, riskKey, columns, group } = rule(name, { kind, model: '', firmware: '' });
      const keys = [meaningKey, riskKey, `remote-settings.group.${group}`, ...columns.map(({ labelKey }) => labelKey)];
      for (const key of keys) if (key !== null) expect(textOf(key), key).toBeTruthy();
    }
    expect(textOf(foreignRule('Setting/Vendor/Mode', 3).meaningKey)).toBeTruthy();
  });

  test('have defaults that may be written', () => {
    for (const subject of [hybrid, older, solar, other]) {
      for (const each of settingRules(subject)) {
        if (each.default !== null)
          expect(checkSetting(each, each.default), `${subject.model} ${each.name}`).toBeUndefined();
      }
    }
  });

  test('follow the model: an inverter without battery has no state of charge to keep', () => {
    expect(settingRule(solar, 'Setting/MinSoc')).toBeUndefined();
    expect(rule('Setting/ExportLimit', solar).high).toBe(80_000);
    expect(rule('Setting/DischargePower').high).toBe(10_000);
    expect(rule('Setting/DischargePower', other).high).toBe(5_000_000);
  });

  test('follow the firmware: an older one knows fewer grid codes and shorter delays', () => {
    const codes = (subject: SettingSubject) => rule('Setting/GridCode', subject).options.map(({ value }) => value);
    expect(codes(hybrid)).toContain('NC-RFG');
    expect(codes(older)).not.toContain('NC-RFG');
    expect(rule('Setting/ReconnectDelay', older).high).toBe(600);
    expect(rule('Setting/ReconnectDelay').high).toBe(900);
    expect(narrowingOf('SW-H8T', '', 'Setting/GridCode')).toEqual({});
  });

  test('in common hold for each of the devices', () => {
    const common = commonRules([hybrid, older, solar]);
    expect(common.find(({ name }) => name === 'Setting/MinSoc')).toBeUndefined();
    expect(common.find(({ name }) => name === 'Setting/ReconnectDelay')).toMatchObject({ low: 10, high: 600 });
    expect(common.find(({ name }) => name === 'Setting/ExportLimit')).toMatchObject({ low: 0, high: 32_000 });
    expect(commonRules([])).toEqual([]);
    expect(commonRules([hybrid, { kind: 'logger', model: 'SW-LW', firmware: '1.9.4' }])).toEqual([]);
  });

  test('of what the catalogue does not know let nobody write it', () => {
    expect(foreignRule('Setting/Vendor/Mode', 3)).toMatchObject({ form: 'number', isReadOnly: true, levels: [] });
    expect(foreignRule('Setting/Vendor/Table', [{ a: 1 }]).columns.map(({ name }) => name)).toEqual(['a']);
  });

  test('say what can trip the grid protection, switch a protection off or stop the plant', () => {
    const dangerous = settingRules(hybrid).flatMap(({ name, isDangerous, riskKey }) => {
      if (isDangerous) expect(riskKey, name).not.toBeNull();
      return isDangerous ? [name] : [];
    });
    expect(dangerous.sort()).toEqual(
      [
        'Afci',
        'GridCode',
        'IsoLimit',
        'MeterInvert',
        'OfUf1',
        'OfUf2',
        'OvUv1',
        'OvUv2',
        'ParallelMode',
        'ReconnectDelay',
        'StartStop',
      ].map((word) => `Setting/${word}`),
    );
  });
});

describe('a value', () => {
  test('between two bounds, at a whole step, may be written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...numbers), fc.double({ min: 0, max: 1, noNaN: true }), (each, place) => {
        const { low, high, decimals, leastAmount } = each;
        const raw = (low ?? 0) + place * ((high ?? 1) - (low ?? 0));
        const value = Number(raw.toFixed(decimals));
        if (leastAmount !== null && Math.abs(value) < leastAmount) return;
        expect(checkSetting(each, value)).toBeUndefined();
        expect(checkSetting(each, Math.fround(value)), `${each.name} in single precision`).toBeUndefined();
      }),
    );
  });

  test('beyond a bound is refused with it, however little', () => {
    fc.assert(
      fc.property(fc.constantFrom(...numbers), fc.integer({ min: 1, max: 1_000_000 }), (each, steps) => {
        const { low, high, step } = each;
        const by = steps * (step ?? 1);
        if (high !== null) expect(checkSetting(each, high + by)).toEqual({ reason: 'tooBig', bound: high });
        if (low !== null) expect(checkSetting(each, low - by)).toEqual({ reason: 'tooSmall', bound: low });
      }),
    );
  });

  test('between two steps is refused with the step', () => {
    expect(checkSetting(rule('Setting/ExportLimit'), 5_000.5)).toEqual({ reason: 'notAStep', bound: 1 });
    expect(checkSetting(rule('Setting/PowerFactor'), 0.955)).toEqual({ reason: 'notAStep', bound: 0.01 });
  });

  test('of whatever form and content is either refused with a reason or of the form of the rule', () => {
    const anything = fc.oneof(
      fc.double(),
      fc.boolean(),
      fc.string(),
      fc.array(fc.dictionary(fc.string(), fc.double())),
      fc.constantFrom<SettingContent>(Number.NaN, Number.POSITIVE_INFINITY, '', []),
    );
    fc.assert(
      fc.property(fc.constantFrom(...settingRules(other), ...settingRules(hybrid)), anything, (each, value) => {
        if (checkSetting(each, value) !== undefined) return;
        const forms = { number: 'number', switch: 'boolean', text: 'string', table: 'object' } as const;
        if (each.form !== 'choice') expect(typeof value).toBe(forms[each.form]);
        if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
      }),
    );
  });

  test.each<[string, SettingContent, string]>([
    ['Setting/GridCharge', 1, 'wrongType'],
    ['Setting/WorkMode', 6, 'notOffered'],
    ['Setting/WorkMode', '1', 'notOffered'],
    ['Setting/GridCode', 'vde4105', 'notOffered'],
    ['Setting/MinSoc', Number.NaN, 'wrongType'],
    ['Setting/MinSoc', 9, 'tooSmall'],
    ['Setting/PowerFactor', 0.5, 'tooSmall'],
    ['Setting/PowerFactor', -0.5, 'tooSmall'],
  ])('%s %j is refused: %s', (name, value, reason) => {
    expect(checkSetting(rule(name), value)).toMatchObject({ reason });
  });

  test('of a time zone is the name of one', () => {
    const zone = rule('Clock/TimeZone', { kind: 'logger', model: '', firmware: '' });
    expect(checkSetting(zone, 'Europe/Berlin')).toBeUndefined();
    expect(checkSetting(zone, 'Europe/Atlantis')).toEqual({ reason: 'notAZone' });
    expect(checkSetting(zone, '+02:00')).toEqual({ reason: 'notAZone' });
  });
});

describe('a table', () => {
  const row = { start: 0, end: 60, days: 127, mode: 1, powerW: 3_000, minSoc: 20, fdSoc: 90 };
  const schedule = rule('Setting/Schedule');

  test.each([
    [[row, { ...row, start: 30, end: 90 }], { reason: 'overlap', row: 1, column: 'start' }],
    [[{ ...row, end: 29 }], { reason: 'periodShort', bound: 30, row: 0, column: 'end' }],
    [[{ ...row, minSoc: 91 }], { reason: 'tooSmall', bound: 91, row: 0, column: 'fdSoc' }],
    [[{ ...row, powerW: 6_001 }], { reason: 'tooBig', bound: 6_000, row: 0, column: 'powerW' }],
    [[{ ...row, more: 1 }], { reason: 'column', row: 0, column: 'more' }],
    [[{ start: 0, end: 60 }], { reason: 'column', row: 0, column: 'days' }],
    [Array.from({ length: 9 }, () => row), { reason: 'tooManyRows', bound: 8 }],
  ])('of periods is refused for what is wrong with a row: %#', (rows, problem) => {
    expect(checkSetting(schedule, rows as SettingContent)).toEqual(problem);
  });

  test('of grid limits has its row: an inverter without limits watches nothing', () => {
    for (const name of ['Setting/OvUv1', 'Setting/OvUv2', 'Setting/OfUf1', 'Setting/OfUf2']) {
      expect(checkSetting(rule(name), [])).toEqual({ reason: 'tooFewRows', bound: 1 });
    }
    expect(checkSetting(schedule, [])).toBeUndefined();
  });

  test('of periods may have two at the same time on other days, and one that begins where another ends', () => {
    expect(
      checkSetting(schedule, [
        { ...row, days: 31 },
        { ...row, days: 96 },
      ]),
    ).toBeUndefined();
    expect(checkSetting(schedule, [row, { ...row, start: 60, end: 120 }])).toBeUndefined();
  });

  test('of grid limits has the lower below the higher', () => {
    const limits = { over: 253, overTime: 3, under: 195.5, underTime: 3 };
    expect(checkSetting(rule('Setting/OvUv1'), [limits])).toBeUndefined();
    expect(checkSetting(rule('Setting/OvUv1'), [{ ...limits, under: 253 }])).toMatchObject({ reason: 'crossed' });
  });
});

describe('a setting is blocked', () => {
  const blocked = (name: string, values: Record<string, SettingContent>) =>
    blockerOf(rule(name), (each) => values[each]);

  test('by another one as long as that stands so', () => {
    expect(blocked('Setting/PowerFactor', { 'Setting/ReactiveMode': 0 })).toEqual({
      name: 'Setting/ReactiveMode',
      value: 0,
    });
    expect(blocked('Setting/PowerFactor', { 'Setting/ReactiveMode': 1 })).toBeUndefined();
    expect(blocked('Setting/MinSoc', { 'Setting/WorkMode': 4 })).toEqual({ name: 'Setting/WorkMode', value: 4 });
    expect(blocked('Setting/ExportLimit', { 'Setting/ParallelMode': 2 })).toBeDefined();
  });

  test('by nothing that the device has not told', () => {
    for (const each of settingRules(hybrid)) expect(blockerOf(each, () => undefined)).toBeUndefined();
  });
});

describe('versions', () => {
  test('are in the order of their numbers', () => {
    expect(compareVersions('3.9.9', '3.14.0')).toBe(-1);
    expect(compareVersions('V3.14.0', '3.14')).toBe(0);
    expect(compareVersions('3.14.0.1', '3.14.0')).toBe(1);
  });
});
