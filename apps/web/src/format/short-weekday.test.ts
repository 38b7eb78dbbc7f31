import { type Language, languages, localeOf } from '@sonnenwarte/contract/languages';
import { expect, test } from 'vitest';
import { formatWeekday } from './dates.ts';
import { shortWeekday } from './short-weekday.ts';
import type { Format } from './use-format.ts';

const week = Array.from({ length: 7 }, (_, place) => `2026-11-${23 + place}` as const);
const namesIn = (language: Language) =>
  week.map((day) =>
    shortWeekday(day, { weekday: (each) => formatWeekday(each, localeOf(language)) } as Format, language),
  );

test.each(languages)('in %s the seven days have short names of their own', (language) => {
  const names = namesIn(language);
  expect(new Set(names).size).toBe(7);
  for (const name of names) expect(name.length).toBeLessThanOrEqual(6);
});

test('Portuguese names have three letters', () => {
  expect(namesIn('pt')).toEqual(['seg', 'ter', 'qua', 'qui', 'sex', 'sáb', 'dom']);
});
