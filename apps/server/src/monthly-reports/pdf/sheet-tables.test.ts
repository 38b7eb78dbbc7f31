import { languages } from '@sonnenwarte/contract/languages';
import { expect, test } from 'vitest';
import { phraseText } from '../../exports/phrase-text.ts';
import { Formats } from '../../papers/formats.ts';
import type { MonthFigures } from '../month-figures.ts';
import { comparisonOf, lossesOf, type Words } from './sheet-tables.ts';
import { tipOf } from './tip.ts';
import { verdictOf } from './verdict.ts';

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

test('a month without a year before is judged by its neighbours, else by what was possible', () => {
  const month = { ...monthWith({ share: 0.034 }, 30), untilMs: null, recordedFrom: null, figures: { generationWh: 1 } };
  const verdict = (peers: MonthFigures['peers'], losses = month.losses) =>
    verdictOf({ ...month, peers, losses } as unknown as MonthFigures, words, format)?.text;
  expect(verdict({ own: 104, median: 100, count: 6 })).toBe('4% more per kWp than its neighbours');
  expect(verdict({ own: 97.9, median: 100, count: 6 })).toBe('2.1% less per kWp than its neighbours');
  expect(verdict(null)).toBe('3.4% of what was possible was missing');
  expect(verdict(null, null)).toBeUndefined();
});

test('the tip is about the costliest loss that something helps against, else about power that is sold and bought', () => {
  const tip = (parts: readonly object[], figures = {}) => {
    const month = { ...monthWith({ parts } as never, 30), untilMs: null, recordedFrom: null, isArriving: false };
    return tipOf({ ...month, figures: { feedInWh: null, purchaseWh: null, ...figures } } as never, words, format, 'en');
  };
  const lost = (kind: string, wh: number) => ({ kind, code: null, wh, money: null });
  expect(tip([lost('snow', 9_000), lost('soiling', 3_000)])).toMatchObject({
    title: 'Tip for December 2026',
    note: expect.stringContaining('3.00\u00a0kWh'),
  });
  expect(tip([lost('unexplained', 9_000)])).toBeNull();
  expect(tip([], { feedInWh: 40_000, purchaseWh: 8_000 })?.note).toContain('saves grid power');
});
