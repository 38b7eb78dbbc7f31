import { list } from '@sonnenwarte/contract/devices/devices';
import { expect, test } from 'vitest';
import { fileColumnsOf } from './file-columns.ts';

test('how a figure came about stands beside it, and beside none stands nothing', () => {
  const words = {
    language: 'en',
    timeZone: 'UTC',
    text: (key: string) => key,
    country: (code: string) => code,
  } as const;
  const columns = fileColumnsOf(list, ['yesterdayWh'], {}, words);
  const cellsOf = (yesterdayWh: number | null) =>
    columns.map(({ value }) => value({ yesterdayWh, yesterdayQuality: 'measured' }));
  expect(cellsOf(1_500)).toEqual([1.5, 'states.measured']);
  expect(cellsOf(null)).toEqual([null, null]);
});
