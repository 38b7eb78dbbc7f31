import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DataType } from '../sparkplug/datatypes.ts';
import { decodePayload, encodePayload } from '../sparkplug/sparkplug-payload.ts';
import {
  type ActiveAlarm,
  alarmByCode,
  alarms,
  alarmsFromDataSet,
  alarmsToDataSet,
  portalAlarms,
  statusOfAlarms,
  sunspecEvents,
} from './alarms.ts';

const languages = ['en', 'de', 'fr', 'it', 'es', 'pt', 'pl', 'cs', 'ro', 'ko', 'zh_CN'];

describe('the alarm catalogue', () => {
  test('has 52 codes, each once, in order', () => {
    const codes = alarms.map(({ code }) => code);
    expect(codes).toHaveLength(52);
    expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
  });

  test('knows its levels by code', () => {
    expect(alarmByCode(1006)).toEqual({ code: 1006, level: 4, name: 'Islanding detected' });
    expect(alarmByCode(3003)?.level).toBe(1);
    expect(alarmByCode(9999)).toBeUndefined();
  });

  test('knows what the portal finds itself too, which is none of the 52', () => {
    expect(portalAlarms.map(({ code, level }) => [code, level])).toEqual([
      [7001, 2],
      [7002, 1],
      [7003, 2],
    ]);
    expect(alarmByCode(7003)).toEqual({ code: 7003, level: 2, name: 'Setting differs' });
    expect(alarms.filter(({ code }) => code >= 7000)).toEqual([]);
  });

  test.each(languages)('has a name and an advice for every code in %s', (language) => {
    const file = new URL(`../../../phrases/src/alarms/${language}.json`, import.meta.url);
    const texts: Record<string, { name: string; advice: string }> = JSON.parse(readFileSync(file, 'utf8'));
    expect(Object.keys(texts)).toEqual([...alarms, ...portalAlarms].map(({ code }) => `${code}`));
    for (const { name, advice } of Object.values(texts)) {
      expect(name.trim()).not.toBe('');
      expect(advice.trim()).not.toBe('');
    }
  });
});

describe('the state of a device', () => {
  test.each([
    [[], 'normal'],
    [[1, 1], 'normal'],
    [[1, 2], 'alarm'],
    [[2, 3, 1], 'fault'],
    [[4], 'fault'],
  ])('levels %j are %s', (levels, status) => {
    expect(statusOfAlarms(levels)).toBe(status);
  });
});

describe('active alarms as a data set', () => {
  const list: ActiveAlarm[] = [
    { code: 2001, level: 4, sinceMs: 1_760_000_000_000, extra: 'R_iso 40 kOhm' },
    { code: 4010, level: 1, sinceMs: 1_760_000_100_000, extra: '' },
  ];

  test('come back from the wire as they were, the empty list too', () => {
    for (const sent of [list, []]) {
      const bytes = encodePayload({
        metrics: [{ name: 'Alarm/Active', datatype: DataType.DataSet, value: alarmsToDataSet(sent) }],
      });
      const value = decodePayload(bytes).metrics[0]?.value;
      expect(typeof value === 'object' && value !== null && 'rows' in value && alarmsFromDataSet(value)).toEqual(sent);
    }
  });

  test('are read with columns in another order, levels missing and rows without a code left out', () => {
    const set = {
      columns: ['extra', 'code'],
      types: [DataType.String, DataType.Int32],
      rows: [
        ['x', 1006],
        ['y', null],
        [null, 77],
      ],
    };
    expect(alarmsFromDataSet(set)).toEqual([
      { code: 1006, level: 4, sinceMs: 0, extra: 'x' },
      { code: 77, level: 2, sinceMs: 0, extra: '' },
    ]);
  });
});

describe('SunSpec events', () => {
  test('map to our codes with their levels, states without a code to notices', () => {
    expect(sunspecEvents(0)).toEqual([]);
    expect(sunspecEvents(0b1000_0000).map(({ code }) => code)).toEqual([3001]);
    expect(sunspecEvents(0b10_0000)).toEqual([{ bit: 5, name: 'CABINET_OPEN', level: 1 }]);
    expect(sunspecEvents(0xffff_ffff)).toHaveLength(16);
    expect(sunspecEvents(1)).toEqual([{ bit: 0, name: 'GROUND_FAULT', level: 4, code: 2002 }]);
  });
});
