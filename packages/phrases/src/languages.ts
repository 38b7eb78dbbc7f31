/** The interface languages, each by its own name. */
export const languageNames = {
  de: 'Deutsch',
  en: 'English',
  cs: 'Čeština',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  pl: 'Polski',
  pt: 'Português',
  ro: 'Română',
  ko: '한국어',
  zh_CN: '简体中文',
} as const satisfies Record<string, string>;

export type PhraseLanguage = keyof typeof languageNames;

const isPhraseLanguage = (name: string): name is PhraseLanguage => Object.hasOwn(languageNames, name);

export const phraseLanguages: readonly PhraseLanguage[] = Object.keys(languageNames).filter(isPhraseLanguage);

/** Language from which the keys are typed and to which a missing text falls back. */
export const SOURCE_LANGUAGE: PhraseLanguage = 'en';

/** BCP 47 tag that `Intl` knows for a language. */
export const tagOf = (language: PhraseLanguage): string => language.replace('_', '-');
