import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkPhrases, compare, flatten, phrasesFolder } from './check.ts';

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
