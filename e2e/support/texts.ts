import type { Language } from '@sonnenwarte/contract/languages';
import { features, textsOf } from '@sonnenwarte/phrases/check';

const known = new Map<string, ReadonlyMap<string, string>>();

function feature(name: string, language: Language): ReadonlyMap<string, string> {
  const key = `${name}/${language}`;
  const texts = known.get(key) ?? textsOf(name, language);
  if (!texts) throw new Error(`There are no texts ${key}`);
  known.set(key, texts);
  return texts;
}

/** A text of the portal: `login.submit` in a language, its placeholders filled in. */
export function textOf(
  key: string,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const [name = '', ...rest] = key.split('.');
  const text = feature(name, language).get(rest.join('.'));
  if (text === undefined) throw new Error(`There is no text ${key} in ${language}`);
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, placeholder: string) => String(values[placeholder] ?? ''));
}

/** Names of the texts' features: what a raw key on screen would begin with. */
export const textFeatures = (): string[] => features();

/** Texts that stand in English and differ in the other language: seen on screen there, they were forgotten. */
export function englishOnly(language: Language): ReadonlySet<string> {
  const english = new Set<string>();
  const translated = new Set<string>();
  for (const name of features()) {
    for (const [key, text] of feature(name, 'en')) {
      const other = feature(name, language).get(key);
      if (other !== undefined && other !== text && !text.includes('{{')) english.add(text);
    }
    for (const text of feature(name, language).values()) translated.add(text);
  }
  return new Set([...english].filter((text) => !translated.has(text) && text.length > 3));
}
