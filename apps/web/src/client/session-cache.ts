import type { Language } from '@sonnenwarte/contract/languages';
import { readSession, writeSession } from '../state/storage.ts';

/** Reads through the browser's session storage: the answer is fetched once per session and key. */
export async function cachedInSession<T>(key: string, fetch: () => Promise<T>): Promise<T> {
  const stored = readSession(`cache:${key}`);
  if (stored !== null) return stored as T;
  const value = await fetch();
  writeSession(`cache:${key}`, value);
  return value;
}

/** Countries are named in Chinese, or in English for all other languages. */
export const countriesKey = (language: Language): string =>
  language === 'zh_CN' ? 'countries-currencies-zh' : 'countries-currencies-en';
