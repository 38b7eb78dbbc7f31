import type { Language } from '@sonnenwarte/contract/languages';
import type { Catalogue } from '@sonnenwarte/phrases/catalogue';
import { globalState } from '../state/global-state.ts';
import { hasSet, textsOfSet } from './texts.ts';

type Take = (language: Language, texts: Partial<Catalogue>) => void;

/** Sets of texts that are shown or will be: a language that is chosen brings them all. */
const wanted = new Set<string>();
const fetched = new Map<`${Language}/${string}`, Promise<void>>();
const loaded = new Set<`${Language}/${string}`>();

/** Texts may come before there is anything to take them. */
const taker = Promise.withResolvers<Take>();

/** Says what takes the texts that come. */
export const connectTexts = (take: Take): void => taker.resolve(take);

async function load(set: string, language: Language): Promise<void> {
  const [texts, take] = await Promise.all([textsOfSet(set, language), taker.promise]);
  take(language, texts);
  loaded.add(`${language}/${set}`);
}

function fetchIn(language: Language, set: string): Promise<void> {
  const key = `${language}/${set}` as const;
  const known = fetched.get(key);
  if (known) return known;
  const loading = load(set, language);
  fetched.set(key, loading);
  loading.catch(() => fetched.delete(key));
  return loading;
}

/** Fetches in a language all that is shown or will be. */
export async function fetchAllIn(language: Language): Promise<void> {
  const missing = [...wanted].filter((set) => !loaded.has(`${language}/${set}`));
  if (missing.length === 0) return;
  await Promise.all(missing.map((set) => fetchIn(language, set)));
  // Something else may have been opened meanwhile.
  await fetchAllIn(language);
}

/** Whether a set of texts is there in the language that is shown. */
export const hasTexts = (set: string): boolean => !hasSet(set) || loaded.has(`${globalState.get().language}/${set}`);

/** Fetches a set of texts in another language than the one that is shown, for what is printed in it. */
export const fetchTextsIn = (set: string, language: Language): Promise<void> =>
  hasSet(set) ? fetchIn(language, set) : none;

const none = Promise.resolve();

/** Fetches a set of texts, and from then on those of every language that is chosen. */
export function fetchTexts(set: string): Promise<void> {
  if (!hasSet(set)) return none;
  wanted.add(set);
  return fetchIn(globalState.get().language, set);
}
