import { isLanguage, type Language, localeOf } from '@sonnenwarte/contract/languages';
import { SOURCE_LANGUAGE, tagOf } from '@sonnenwarte/phrases/languages';
import i18n from 'i18next';
import { initReactI18next } from 'react-i18next';
import { globalState } from '../state/global-state.ts';
import { writeLocal } from '../state/storage.ts';
import { hasSet, textsOfSet } from './texts.ts';

export { i18n };

const NAMESPACE = 'translation';

/** Sets of texts that are shown or will be: a language that is chosen brings them all. */
const wanted = new Set<string>();
const fetched = new Map<`${Language}/${string}`, Promise<void>>();
const loaded = new Set<`${Language}/${string}`>();

/** Texts may come before there is anything to take them. */
const started = Promise.withResolvers<void>();

async function load(set: string, language: Language): Promise<void> {
  const [texts] = await Promise.all([textsOfSet(set, language), started.promise]);
  i18n.addResourceBundle(tagOf(language), NAMESPACE, texts, true);
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

async function fetchAllIn(language: Language): Promise<void> {
  const missing = [...wanted].filter((set) => !loaded.has(`${language}/${set}`));
  if (missing.length === 0) return;
  await Promise.all(missing.map((set) => fetchIn(language, set)));
  // Something else may have been opened meanwhile.
  await fetchAllIn(language);
}

/** Whether a set of texts is there in the language that is shown. */
export const hasTexts = (set: string): boolean => !hasSet(set) || loaded.has(`${globalState.get().language}/${set}`);

const none = Promise.resolve();

/** Fetches a set of texts, and from then on those of every language that is chosen. */
export function fetchTexts(set: string): Promise<void> {
  if (!hasSet(set)) return none;
  wanted.add(set);
  return fetchIn(globalState.get().language, set);
}

let choices = 0;

/** Shows the app in a language and remembers it in this browser, unless another one has been chosen before its texts came. */
export async function showLanguage(language: Language): Promise<void> {
  choices += 1;
  const choice = choices;
  await fetchAllIn(language);
  if (choice !== choices) return;
  await i18n.changeLanguage(tagOf(language));
  if (choice !== choices) return;
  document.documentElement.lang = localeOf(language);
  writeLocal('language', language);
  globalState.set({ language });
}

/** A language chosen in another window of the browser is shown here as well. */
function followOtherWindows(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === 'language' && isLanguage(newValue)) void showLanguage(newValue);
  });
}

/** Begins with the texts of what is shown first: `entry` or `workspace`. */
export async function startLanguage(set: string): Promise<void> {
  const texts = fetchTexts(set);
  await i18n.use(initReactI18next).init({
    fallbackLng: tagOf(SOURCE_LANGUAGE),
    ns: [NAMESPACE],
    defaultNS: NAMESPACE,
    resources: {},
    partialBundledLanguages: true,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  started.resolve();
  await texts;
  await showLanguage(globalState.get().language);
  followOtherWindows();
}
