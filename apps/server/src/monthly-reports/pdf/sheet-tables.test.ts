import { languages } from '@sonnenwarte/contract/languages';
import { expect, test } from 'vitest';
import { phraseText } from '../../exports/phrase-text.ts';
import { Formats } from '../../papers/formats.ts';
import type { MonthFigures } from '../month-figures.ts';
import { comparisonOf, lossesOf, type Words } from './sheet-tables.ts';

const words: Words = (key, values) => phraseText(key, 'en', values);
const format = new Formats('en', 'Europe/Berlin');
const monthWith = (losses: Partial<NonNullable<MonthFigures['losses']>>, known: number) =>
  ({
    month: '2026-11',
    days: { known: 30, all: 30 },
    losses: { parts: [], wh: 0, money: '0', currency: 'EUR', share: 0, days: known, ...losses },
    now: {},
    lastYear: null,
    peers: null,
  }) as unknown as MonthFigures;
const part = { kind: 'unexplained', code: null, wh: 1_200, money: '0.40' } as const;

test('a loss that is known of some days says of how many, also where nothing was lost on these', () => {
  const some = monthWith({ parts: [part], wh: 1_200, money: '0.40' }, 8);
  expect(lossesOf(some, words, format, 'en').note).toBe('Known on 8 of 30 days.');
  expect(lossesOf(monthWith({}, 8), words, format, 'en').note).toContain('Known on 8 of 30 days.');
  expect(lossesOf(monthWith({ parts: [part], wh: 1_200 }, 30), words, format, 'en').note).toBe('');
});

test.each(languages)('the month above a comparison is short enough to keep its year in %s', (language) => {
  const [, month = ''] = comparisonOf(monthWith({}, 30), words, new Formats(language, 'Europe/Berlin')).head;
  expect(month).toContain('2026');
  expect(month.length).toBeLessThanOrEqual(14);
});
