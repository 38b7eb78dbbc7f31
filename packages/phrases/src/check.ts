import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PhraseLanguage, phraseLanguages, SOURCE_LANGUAGE, tagOf } from './languages.ts';
import { sharedWords, wordsOfAll } from './shared-words.ts';
import { typographic } from './typography.ts';

const UNIT = /^kW[hp]$/;
const PLURAL_SUFFIX = /_(zero|one|two|few|many|other)$/;

/** Texts of one file by key path; plural forms keep their suffix. */
export type Texts = ReadonlyMap<string, string>;

/** Folder of this package's texts: one folder per feature, in it one JSON file per language. */
export const phrasesFolder = import.meta.dirname;

/** Flattens nested texts to `a.b.c`; anything but text and objects is kept as an empty text, which the check refuses. */
export function flatten(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]]);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, '']]);
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...flatten(inner, path === '' ? key : `${path}.${key}`)]),
  );
}

const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*([^},\s]+)[^}]*\}\}/g)].map((match) => match[1] ?? '').sort();

/** Keys without plural suffix, and which of them have plural forms. */
function shapeOf(texts: Texts): { keys: Set<string>; plurals: Set<string> } {
  const plurals = new Set(
    [...texts.keys()].filter((key) => key.endsWith('_other')).map((key) => key.slice(0, -'_other'.length)),
  );
  const keys = new Set(
    [...texts.keys()].map((key) => {
      const base = key.replace(PLURAL_SUFFIX, '');
      return plurals.has(base) ? base : key;
    }),
  );
  return { keys, plurals };
}

const categoriesOf = (language: PhraseLanguage): string[] =>
  new Intl.PluralRules(tagOf(language)).resolvedOptions().pluralCategories;

const wordsOf = (text: string): string[] =>
  text
    .replace(/\{\{[^}]*\}\}/g, ' ')
    .split(/[^\p{L}-]+/u)
    .filter((word) => /\p{Ll}{2}/u.test(word) && !UNIT.test(word));

/** Whether a text that reads as in English was left untranslated: it has a word that the language does not share. */
function isLeftInEnglish(text: string, language: PhraseLanguage): boolean {
  const shared = [...wordsOfAll, ...(sharedWords[language] ?? [])];
  return wordsOf(text).some((word) => !shared.some((each) => each.toLowerCase() === word.toLowerCase()));
}

/** Problems of a translation against the English texts of the same feature. */
export function compare(source: Texts, translation: Texts, language: PhraseLanguage, name: string): string[] {
  const problems: string[] = [];
  const wanted = shapeOf(source);
  const found = shapeOf(translation);
  const count = (texts: string[]) => texts.filter((placeholder) => placeholder !== 'count').join(', ');

  for (const [key, text] of translation) {
    const set = typographic(text, language);
    if (text.trim() === '') problems.push(`${name}: ${key} is empty`);
    else if (set !== text) problems.push(`${name}: ${key} is set as "${set}" (npm run phrases:tidy)`);
    else if (language !== SOURCE_LANGUAGE && text === source.get(key) && isLeftInEnglish(text, language))
      problems.push(`${name}: ${key} is still English: "${text}" (words alike are named in shared-words.ts)`);
    if (key.endsWith('_one') && !found.plurals.has(key.slice(0, -'_one'.length)))
      problems.push(`${name}: ${key} has no plural form "other"`);
  }
  for (const key of found.keys) if (!wanted.keys.has(key)) problems.push(`${name}: ${key} is not in English`);

  for (const key of wanted.keys) {
    if (!found.keys.has(key)) {
      problems.push(`${name}: ${key} is missing`);
      continue;
    }
    if (wanted.plurals.has(key)) {
      const inEnglish = count(placeholdersOf(source.get(`${key}_other`) ?? ''));
      const needed = categoriesOf(language);
      for (const category of needed) {
        const form = translation.get(`${key}_${category}`);
        if (form === undefined) problems.push(`${name}: ${key} has no plural form "${category}"`);
        else if (count(placeholdersOf(form)) !== inEnglish)
          problems.push(`${name}: ${key}_${category} has other placeholders than English`);
      }
      for (const form of translation.keys()) {
        const [, category] = PLURAL_SUFFIX.exec(form) ?? [];
        if (category !== undefined && form === `${key}_${category}` && !needed.includes(category))
          problems.push(`${name}: ${form} is a plural form that the language does not have`);
      }
      continue;
    }
    const inEnglish = placeholdersOf(source.get(key) ?? '').join(', ');
    if (placeholdersOf(translation.get(key) ?? '').join(', ') !== inEnglish)
      problems.push(`${name}: ${key} has other placeholders than English`);
  }
  return problems;
}

const read = (file: string): Texts => flatten(JSON.parse(readFileSync(file, 'utf8')));

/** Names of the features that have texts. */
export const features = (folder = phrasesFolder): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => readdirSync(join(folder, name)).some((file) => file.endsWith('.json')))
    .sort();

/** Texts of a feature in a language; `undefined` where the file is missing. */
export function textsOf(feature: string, language: PhraseLanguage, folder = phrasesFolder): Texts | undefined {
  const file = join(folder, feature, `${language}.json`);
  return existsSync(file) ? read(file) : undefined;
}

/**
 * Every problem of the texts: a missing file or key, a key that English does not have, other placeholders, plural
 * forms that `Intl.PluralRules` of the language asks for and that are not there, an empty text, one left in English, one
 * whose signs are not those of its language.
 */
export function checkPhrases(folder = phrasesFolder): string[] {
  return features(folder).flatMap((feature) => {
    const source = textsOf(feature, SOURCE_LANGUAGE, folder);
    if (!source) return [`${feature}/${SOURCE_LANGUAGE}: the file is missing`];
    return phraseLanguages.flatMap((language) => {
      const name = `${feature}/${language}`;
      const texts = textsOf(feature, language, folder);
      return texts ? compare(source, texts, language, name) : [`${name}: the file is missing`];
    });
  });
}
