/** Interface languages of the specification, section 1. */
export const languages = ['en', 'zh_CN', 'pl', 'fr', 'pt', 'de', 'it', 'ko', 'cs', 'es', 'ro'] as const;
export type Language = (typeof languages)[number];
export const DEFAULT_LANGUAGE: Language = 'de';
export const FALLBACK_LANGUAGE: Language = 'en';

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value);

/** BCP 47 tag for Intl and the `lang` attribute. */
export const localeOf = (language: Language): string =>
  language === 'zh_CN' ? 'zh-CN' : language === 'pt' ? 'pt-PT' : language === 'en' ? 'en-GB' : language;
