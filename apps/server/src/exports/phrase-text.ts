import { readFileSync } from 'node:fs';
import { FALLBACK_LANGUAGE, type Language } from '@sonnenwarte/contract/languages';
import type { Catalogue } from '@sonnenwarte/phrases/catalogue';

type Paths<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Paths<T[K]>}`;
}[keyof T & string];

/** Path of a text in the catalogue, feature first: `sites.field.name`. */
export type PhraseKey = Paths<Catalogue>;

const folders = new Map<string, unknown>();

function textsOf(feature: string, language: Language): unknown {
  const key = `${feature}/${language}`;
  if (!folders.has(key)) {
    const file = new URL(import.meta.resolve(`@sonnenwarte/phrases/json/${key}`));
    folders.set(key, JSON.parse(readFileSync(file, 'utf8')));
  }
  return folders.get(key);
}

/** A text whose key is only known at run time; nothing where there is none. */
export const knownPhrase = (key: string, language: Language): string | undefined =>
  lookUp(key, language) ?? lookUp(key, FALLBACK_LANGUAGE);

function lookUp(key: string, language: Language): string | undefined {
  const [feature = '', ...path] = key.split('.');
  const text = path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[step] : undefined,
    textsOf(feature, language),
  );
  return typeof text === 'string' ? text : undefined;
}

/** A text without plural forms in a language, else in English. */
export function phraseText(
  key: PhraseKey,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = knownPhrase(key, language) ?? key;
  return text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
