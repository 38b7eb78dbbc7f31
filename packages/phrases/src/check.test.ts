import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkPhrases, compare, flatten, phrasesFolder, textsOf } from './check.ts';

const english = flatten({ hello: 'Hello {{name}}', plants_one: '{{count}} plant', plants_other: '{{count}} plants' });

function copyOfTexts(): string {
  const folder = mkdtempSync(join(tmpdir(), 'phrases-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const feature of ['common', 'login'])
    cpSync(join(phrasesFolder, feature), join(folder, feature), { recursive: true });
  return folder;
}

describe('texts', () => {
  test('are complete in all languages', () => {
    expect(checkPhrases()).toEqual([]);
  });

  test('a planted missing text is found', () => {
    const folder = copyOfTexts();
    expect(checkPhrases(folder)).toEqual([]);
    const file = join(folder, 'login', 'ko.json');
    const { submit: _, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify(rest));
    expect(checkPhrases(folder)).toEqual(['login/ko: submit is missing']);
  });

  test('a planted missing file is found', () => {
    const folder = copyOfTexts();
    rmSync(join(folder, 'common', 'cs.json'));
    expect(checkPhrases(folder)).toEqual(['common/cs: the file is missing']);
  });

  test('an empty text, a foreign key and another placeholder are found', () => {
    const german = flatten({
      hello: 'Hallo {{nmae}}',
      plants_one: '{{count}} Anlage',
      plants_other: ' ',
      more: 'mehr',
    });
    expect(compare(english, german, 'de', 'x/de')).toEqual([
      'x/de: plants_other is empty',
      'x/de: more is not in English',
      'x/de: hello has other placeholders than English',
    ]);
  });

  test('a form for one alone is found, in English too', () => {
    const half = flatten({ plants_one: 'a plant' });
    expect(compare(half, half, 'en', 'x/en')).toEqual(['x/en: plants_one has no plural form "other"']);
    expect(compare(english, flatten({ hello: '{{name}}', plants: 'Anlagen' }), 'de', 'x/de')).toEqual([
      'x/de: plants has no plural form "one"',
      'x/de: plants has no plural form "other"',
    ]);
  });

  test('a text left in English is found; one of words that the language shares is not', () => {
    const source = flatten({ a: 'Plant list', b: 'Firmware', c: 'SoC {{n}}\u00a0kWh', d: 'Online plants' });
    expect(compare(source, source, 'de', 'x/de')).toEqual([
      'x/de: a is still English: "Plant list" (words alike are named in shared-words.ts)',
      'x/de: d is still English: "Online plants" (words alike are named in shared-words.ts)',
    ]);
    expect(compare(source, source, 'en', 'x/en')).toEqual([]);
  });

  test('signs that are not those of the language are found', () => {
    const source = flatten({ a: 'Choose ...', b: 'The “b”' });
    const french = flatten({ a: 'Choisir\u00a0…', b: "L'« b »" });
    expect(compare(source, french, 'fr', 'x/fr')).toEqual([
      'x/fr: b is set as "L’«\u00a0b\u00a0»" (npm run phrases:tidy)',
    ]);
  });

  test.each([
    ['pl', 'few'],
    ['pl', 'many'],
    ['cs', 'few'],
    ['cs', 'many'],
    ['ro', 'few'],
    ['fr', 'many'],
    ['es', 'many'],
    ['it', 'many'],
    ['pt', 'many'],
  ] as const)('in %s the form "%s" must be there', (language, category) => {
    const all = textsOf('common', language);
    const source = textsOf('common', 'en');
    if (!all || !source) throw new Error(`There are no texts common/${language}`);
    expect(all.has(`filters_${category}`)).toBe(true);
    const without = new Map([...all].filter(([key]) => key !== `filters_${category}`));
    expect(compare(source, without, language, 'x')).toEqual([`x: filters has no plural form "${category}"`]);
  });

  test('each language must have exactly the plural forms that it uses', () => {
    const texts = flatten({ hello: '{{name}}', plants_one: 'a', plants_other: 'b' });
    expect(compare(english, texts, 'pl', 'x/pl')).toEqual([
      'x/pl: plants has no plural form "few"',
      'x/pl: plants has no plural form "many"',
    ]);
    expect(compare(english, texts, 'ko', 'x/ko')).toEqual([
      'x/ko: plants_one is a plural form that the language does not have',
    ]);
  });
});
