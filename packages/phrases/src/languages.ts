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

/** Offers a page in each language, in that language: shown before its texts are there. */
export const languageOffers: Readonly<Record<PhraseLanguage, string>> = {
  de: 'Diese Seite auf Deutsch anzeigen',
  en: 'Show this page in English',
  cs: 'Zobrazit tuto stránku v češtině',
  es: 'Mostrar esta página en español',
  fr: 'Afficher cette page en français',
  it: 'Mostra questa pagina in italiano',
  pl: 'Pokaż tę stronę po polsku',
  pt: 'Mostrar esta página em português',
  ro: 'Afișați această pagină în română',
  ko: '이 페이지를 한국어로 보기',
  zh_CN: '以简体中文显示此页面',
};

const isPhraseLanguage = (name: string): name is PhraseLanguage => Object.hasOwn(languageNames, name);

export const phraseLanguages: readonly PhraseLanguage[] = Object.keys(languageNames).filter(isPhraseLanguage);

/** Language from which the keys are typed and to which a missing text falls back. */
export const SOURCE_LANGUAGE: PhraseLanguage = 'en';

/** BCP 47 tag that `Intl` knows for a language. */
export const tagOf = (language: PhraseLanguage): string => language.replace('_', '-');
