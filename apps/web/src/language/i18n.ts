import { isLanguage, type Language, localeOf } from '@sonnenwarte/contract/languages';
import { SOURCE_LANGUAGE, tagOf } from '@sonnenwarte/phrases/languages';
import { loadPhraseGroup, loadPhrases, type TextGroup } from '@sonnenwarte/phrases/lazy';
import i18n from 'i18next';
import { initReactI18next } from 'react-i18next';
import { globalState } from '../state/global-state.ts';
import { writeLocal } from '../state/storage.ts';

export { i18n };

const NAMESPACE = 'translation';

const loaded = new Set<`${TextGroup}/${Language}`>();
const wanted = new Map<TextGroup, Promise<void>>();

async function loadGroup(group: TextGroup, language: Language): Promise<void> {
  if (loaded.has(`${group}/${language}`)) return;
  i18n.addResourceBundle(tagOf(language), NAMESPACE, await loadPhraseGroup(group, language), true);
  loaded.add(`${group}/${language}`);
}

async function load(language: Language): Promise<void> {
  const tag = tagOf(language);
  if (!i18n.hasResourceBundle(tag, NAMESPACE)) i18n.addResourceBundle(tag, NAMESPACE, await loadPhrases(language));
  await Promise.all([...wanted.keys()].map((group) => loadGroup(group, language)));
}

export const hasTexts = (group: TextGroup): boolean => loaded.has(`${group}/${globalState.get().language}`);

/** Fetches the texts of a group of screens, and from then on those of every language that is chosen. */
export function fetchTexts(group: TextGroup): Promise<void> {
  const known = wanted.get(group);
  if (known) return known;
  const fetched = loadGroup(group, globalState.get().language);
  wanted.set(group, fetched);
  fetched.catch(() => wanted.delete(group));
  return fetched;
}

let choices = 0;

/** Shows the app in a language and remembers it in this browser, unless another one has been chosen before its texts came. */
export async function showLanguage(language: Language): Promise<void> {
  choices += 1;
  const choice = choices;
  await load(language);
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

export async function startLanguage(): Promise<void> {
  await i18n.use(initReactI18next).init({
    fallbackLng: tagOf(SOURCE_LANGUAGE),
    ns: [NAMESPACE],
    defaultNS: NAMESPACE,
    resources: {},
    partialBundledLanguages: true,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  await showLanguage(globalState.get().language);
  followOtherWindows();
}
