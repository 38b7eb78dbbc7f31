import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DataType } from '../sparkplug/datatypes.ts';
import {
  columnOf,
  deviceKinds,
  type Point,
  pointByName,
  pointLabelKey,
  pointLabelsEn,
  pointsOf,
  settingByName,
  settings,
} from './points.ts';

const all: readonly Point[] = deviceKinds.flatMap((kind) => pointsOf[kind]);
const languages = ['en', 'de', 'fr', 'it', 'es', 'pt', 'pl', 'cs', 'ro', 'ko', 'zh_CN'];

function phrases(language: string): Record<string, string> {
  return JSON.parse(readFileSync(new URL(`../../../phrases/src/points/${language}.json`, import.meta.url), 'utf8'));
}

describe('the catalogue of points', () => {
  test('has 148 names when strings and packs count once, and a shared list for EMS and gateway', () => {
    const names = new Set(
      all.map(({ name }) => name.replace(/String\d+/, 'String{1..16}').replace(/Pack\d+/, 'Pack{1..8}')),
    );
    expect(names.size).toBe(148);
    expect(pointsOf.gateway.map(({ name }) => name)).toEqual(pointsOf.ems.map(({ name }) => name));
  });

  test('has every name and column once in a kind, the columns being plain identifiers', () => {
    for (const kind of deviceKinds) {
      const points = pointsOf[kind];
      expect(new Set(points.map(({ name }) => name)).size).toBe(points.length);
      expect(new Set(points.map(({ name }) => columnOf(name))).size).toBe(points.length);
      for (const { name } of points) expect(columnOf(name)).toMatch(/^[a-z][a-z0-9_]*$/);
    }
  });

  test.each([
    ['AC/L1/Voltage', 'ac_l1_voltage'],
    ['AC/ActivePower', 'ac_active_power'],
    ['DC/Mppt2/Current', 'dc_mppt2_current'],
    ['ExtGen/EnergyTotal', 'ext_gen_energy_total'],
    ['Bat/CellIndexVmax', 'bat_cell_index_vmax'],
    ['Gw/SgReadyState', 'gw_sg_ready_state'],
  ])('%s is stored in the column %s', (name, column) => {
    expect(columnOf(name)).toBe(column);
  });

  test('gives one label key to one meaning', () => {
    const meanings = new Map<string, Set<string>>();
    for (const { labelKey, name, index } of all) {
      const pattern = index === undefined ? name : name.replace(`${index}`, '{n}');
      meanings.set(labelKey, (meanings.get(labelKey) ?? new Set()).add(pattern));
    }
    expect([...meanings.values()].filter((patterns) => patterns.size > 1)).toEqual([]);
  });

  test('counts energy up: every counter is a double in kWh, hours or cycles and says since when', () => {
    for (const point of all) {
      if (point.unit === 'kWh') expect(point.datatype).toBe(DataType.Double);
      if (/(Total|Today)$/.test(point.name))
        expect(point.accumulates).toBe(point.name.endsWith('Today') ? 'today' : 'lifetime');
      else if (point.accumulates !== false) expect(['Bat/Cycles', 'State/OperatingHours']).toContain(point.name);
    }
  });

  test('has plausible ranges that hold something and enums that lie within them', () => {
    for (const { low, high, enum: values } of all) {
      if (low !== undefined && high !== undefined) expect(low).toBeLessThan(high);
      for (const value of Object.keys(values ?? {})) expect(Number(value)).toBeLessThanOrEqual(high ?? 0);
    }
  });

  test('finds points by kind and name, and none by names of objects', () => {
    expect(pointByName('battery', 'Bat/Power')).toMatchObject({ unit: 'W', sign: 'discharge' });
    expect(pointByName('meter', 'Meter/ActivePower')?.sign).toBe('import');
    expect(pointByName('meter', 'Bat/Power')).toBeUndefined();
    expect(pointByName('inverter', '__proto__')).toBeUndefined();
    expect(pointByName('inverter', 'constructor')).toBeUndefined();
  });

  test('names the label of a repeated point with its number', () => {
    expect(pointLabelKey('DC/Mppt2/Voltage')).toEqual({ key: 'points.dcMpptVoltage', n: 2 });
    expect(pointLabelKey('AC/ActivePower')).toEqual({ key: 'points.acActivePower' });
    expect(pointLabelKey('Nothing/Known')).toBeUndefined();
  });
});

describe('labels', () => {
  const used = new Set([
    ...all.flatMap(({ labelKey, enum: values }) => [labelKey, ...Object.values(values ?? {})]),
    ...settings.flatMap(({ labelKey, options }) => [labelKey, ...(options ?? []).flatMap((o) => o.labelKey ?? [])]),
  ]);

  test('every label key in use has an English label, and no label is left over', () => {
    expect(Object.keys(pointLabelsEn).sort()).toEqual([...used].sort());
  });

  test('a label has the placeholder exactly where the point is repeated', () => {
    for (const { labelKey, index } of all) expect(pointLabelsEn[labelKey]?.includes('{{n}}')).toBe(index !== undefined);
  });

  test.each(languages)('the phrases in %s are complete, with the same placeholders', (language) => {
    const texts = phrases(language);
    expect(
      Object.keys(texts)
        .map((key) => `points.${key}`)
        .sort(),
    ).toEqual(Object.keys(pointLabelsEn).sort());
    for (const [key, text] of Object.entries(texts)) {
      expect(text.trim()).not.toBe('');
      expect(text.includes('{{n}}')).toBe(pointLabelsEn[`points.${key}`]?.includes('{{n}}'));
      if (language === 'en') expect(text).toBe(pointLabelsEn[`points.${key}`]);
    }
  });

  test('the phrases are where this test looks for them', () => {
    expect(existsSync(new URL('../../../phrases/src/points/en.json', import.meta.url))).toBe(true);
  });
});

describe('settings', () => {
  test('are named once and have ranges that hold something', () => {
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
    for (const { low, high } of settings) if (low !== undefined && high !== undefined) expect(low).toBeLessThan(high);
  });

  test('keep the limits of the specification', () => {
    expect(settingByName('Setting/MinSoc')).toMatchObject({ low: 10, high: 100, unit: '%' });
    expect(settingByName('Report/Interval')).toMatchObject({ low: 10, high: 900, unit: 's' });
    expect(settingByName('Setting/WorkMode')?.options?.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5]);
    const schedule = settingByName('Setting/Schedule');
    expect(schedule?.maxRows).toBe(8);
    expect(schedule?.columns?.find(({ name }) => name === 'powerW')).toMatchObject({ low: 0, high: 6_000 });
    expect(settingByName('toString')).toBeUndefined();
  });

  test('that are tables have columns, and only those', () => {
    for (const { datatype, columns } of settings) expect(columns !== undefined).toBe(datatype === DataType.DataSet);
  });
});
