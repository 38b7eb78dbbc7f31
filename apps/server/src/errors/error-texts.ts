import { readFileSync } from 'node:fs';
import { errorNumbers } from '@sonnenwarte/contract/errors';
import { FALLBACK_LANGUAGE, type Language, languages } from '@sonnenwarte/contract/languages';

const read = (language: Language): Record<string, string> =>
  JSON.parse(readFileSync(new URL(import.meta.resolve(`@sonnenwarte/phrases/json/errors/${language}`)), 'utf8'));

/** Texts of all error numbers by language. */
export const errorTexts: Readonly<Record<string, Record<string, string>>> = Object.fromEntries(
  languages.map((language) => [language, read(language)]),
);

/** Text of a number in a language, else in English. */
export const errorText = (number: number, language: Language): string =>
  errorTexts[language]?.[number] ?? errorTexts[FALLBACK_LANGUAGE]?.[number] ?? `errno ${number}`;

/** Numbers of the catalogue that lack a text, as `language/number`. */
export const missingErrorTexts = (): string[] =>
  languages.flatMap((language) =>
    errorNumbers.filter((number) => !errorTexts[language]?.[number]).map((number) => `${language}/${number}`),
  );
