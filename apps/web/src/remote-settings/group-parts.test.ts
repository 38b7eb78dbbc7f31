import { commandStates, isOpenCommand } from '@sonnenwarte/contract/commands/command';
import type { PreviewRow } from '@sonnenwarte/contract/remote-settings/group-remote';
import { describe, expect, test } from 'vitest';
import { csvOf, isFailed } from './group-results.ts';
import { costOf, fateOf } from './preview-fate.ts';
import { serialNumbersIn } from './serial-numbers.ts';
import { bareColumns, hasDay, minutesOf, timeText, tripsOf, withDay } from './table-rows.ts';

const device = (deviceSN: string, own: Partial<PreviewRow> = {}): PreviewRow => ({
  deviceID: deviceSN,
  deviceSN,
  model: 'SW-H8T',
  stationName: `Plant ${deviceSN}`,
  online: true,
  values: [],
  costWhPerDay: null,
  costPerDay: null,
  currency: 'EUR',
  obstacle: null,
  ...own,
});

describe('preview', () => {
  test('what cannot be written, or is so already, is not written; what is away waits', () => {
    const obstacle = { why: 'unknownSetting' as const, name: null, detail: '' };
    expect(fateOf(device('a'))).toEqual({ fate: 'written', isWritten: true });
    expect(fateOf(device('a', { online: false }))).toEqual({ fate: 'waits', isWritten: true });
    expect(fateOf(device('a', { obstacle }))).toEqual({ fate: 'impossible', isWritten: false });
    expect(fateOf(device('a', { obstacle: { ...obstacle, why: 'sameValue' } }))).toEqual({
      fate: 'same',
      isWritten: false,
    });
  });

  test('what it costs adds up by currency, and the device that loses more than its share is named', () => {
    const rows = [
      device('a', { costWhPerDay: 400, costPerDay: 0.03 }),
      device('b', { costWhPerDay: 58_200, costPerDay: 4.5 }),
      device('c', { costWhPerDay: 6_000, costPerDay: 2, currency: 'PLN' }),
      device('d'),
    ];
    const cost = costOf(rows);
    expect(cost).toMatchObject({ known: 3, wh: 64_600 });
    expect([...cost.money]).toEqual([
      ['EUR', 4.53],
      ['PLN', 2],
    ]);
    expect(cost.worst?.deviceSN).toBe('b');
  });

  test('where all lose alike none is named, and nothing known is not nothing lost', () => {
    expect(costOf([device('a', { costWhPerDay: 5 }), device('b', { costWhPerDay: 5 })]).worst).toBeUndefined();
    expect(costOf([device('a')])).toMatchObject({ known: 0, worst: undefined });
  });
});

describe('result', () => {
  test('only what has ended otherwise than confirmed can be tried again', () => {
    for (const state of commandStates) {
      expect([state, isFailed({ state })]).toEqual([state, state !== 'confirmed' && !isOpenCommand(state)]);
    }
    expect(isFailed({ state: 'waiting' })).toBe(false);
  });

  test('a cell of the file is never a formula, and quotes stay', () => {
    expect(csvOf([['=1+1', 'a "b"', '-5,0']])).toBe('\ufeff"\'=1+1";"a ""b""";"-5,0"\r\n');
  });
});

test('serial numbers are found however they are parted, each once', () => {
  expect(serialNumbersIn('H8T1\nH8T2, H8T3;"H8T4"\tH8T1 |H8T5')).toEqual(['H8T1', 'H8T2', 'H8T3', 'H8T4', 'H8T5']);
  expect(serialNumbersIn('  \n')).toEqual([]);
});

describe('cells of a table', () => {
  test('a time is minutes of the day up to its end', () => {
    expect(timeText(330)).toBe('05:30');
    expect([minutesOf('5:30'), minutesOf('24:00'), minutesOf('0530')]).toEqual([330, 1_440, 330]);
    expect([minutesOf('24:01'), minutesOf('5:60'), minutesOf('x')]).toEqual([undefined, undefined, undefined]);
  });

  test('weekdays come and go one by one', () => {
    expect(withDay(0b0000001, 6, true)).toBe(0b1000001);
    expect(withDay(0b1000001, 0, false)).toBe(0b1000000);
    expect([hasDay(0b1000000, 6), hasDay(0b1000000, 0)]).toEqual([true, false]);
  });
});

describe('limits of protection', () => {
  const column = (name: string, unit: string) => ({
    name,
    labelKey: '',
    unit,
    low: 0,
    high: 600,
    step: 0.1,
    decimals: 1,
  });
  const columns = [column('over', 'V'), column('overTime', 's'), column('under', 'V'), column('underTime', 's')];
  const row = { over: 253, overTime: 3, under: 195.5, underTime: 0.2 };

  test('a row of them is read as limits with their times; several rows, and other tables, are none', () => {
    expect(tripsOf({ columns }, [row]).map(({ side, limit, time }) => [side, limit, time])).toEqual([
      ['over', 253, 3],
      ['under', 195.5, 0.2],
    ]);
    expect(tripsOf({ columns }, [row, row])).toEqual([]);
    expect(tripsOf({ columns: [column('price', 'ct/kWh')] }, [{ price: 12 }])).toEqual([]);
    expect(tripsOf({ columns }, null)).toEqual([]);
  });

  test('of which only the names were told have the units of the catalogue', () => {
    const units = (name: string) => bareColumns(name, [row]).map(({ unit }) => unit);
    expect(units('Setting/OvUv1')).toEqual(['V', 's', 'V', 's']);
    expect(units('Setting/OfUf2')).toEqual(['Hz', 's', 'Hz', 's']);
    expect(bareColumns('Setting/ExportLimit', 5_000)).toEqual([]);
  });
});
