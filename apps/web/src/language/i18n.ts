import { type Language, localeOf } from '@sonnenwarte/contract/languages';
import { SOURCE_LANGUAGE, tagOf } from '@sonnenwarte/phrases/languages';
import { loadPhrases } from '@sonnenwarte/phrases/lazy';
import i18n from 'i18next';
import { initReactI18next } from 'react-i18next';
import { globalState } from '../state/global-state.ts';
import { writeLocal } from '../state/storage.ts';

export { i18n };

const NAMESPACE = 'translation';

async function load(language: Language): Promise<void> {
  const tag = tagOf(language);
  if (!i18n.hasResourceBundle(tag, NAMESPACE)) i18n.addResourceBundle(tag, NAMESPACE, await loadPhrases(language));
}

/** Shows the app in a language and remembers it in this browser. */
export async function showLanguage(language: Language): Promise<void> {
  await load(language);
  await i18n.changeLanguage(tagOf(language));
  document.documentElement.lang = localeOf(language);
  writeLocal('language', language);
  globalState.set({ language });
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
}
