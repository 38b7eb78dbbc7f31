import { isLanguage, type Language, localeOf } from '@sonnenwarte/contract/languages';
import { SOURCE_LANGUAGE, tagOf } from '@sonnenwarte/phrases/languages';
import i18n from 'i18next';
import { initReactI18next } from 'react-i18next';
import { globalState } from '../state/global-state.ts';
import { writeLocal } from '../state/storage.ts';
import { connectTexts, fetchAllIn, fetchTexts } from './text-sets.ts';

export { i18n };

const NAMESPACE = 'translation';

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
  connectTexts((language, texts) => i18n.addResourceBundle(tagOf(language), NAMESPACE, texts, true));
  await texts;
  await showLanguage(globalState.get().language);
  followOtherWindows();
}
