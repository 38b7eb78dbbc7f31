import type { Language } from '@sonnenwarte/contract/languages';
import { currencyOfCountry } from './currencies.ts';

// Regions that CLDR names but that are no country of ISO 3166-1.
const notCountries = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ']);
const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const chinese = new Intl.DisplayNames('zh-CN', { type: 'region', fallback: 'none' });

/** ISO 3166-1 alpha-2 codes; withdrawn ones (which canonicalise to another) are left out. */
export const countryCodes: readonly string[] = letters
  .flatMap((first) => letters.map((second) => first + second))
  .filter((code) => !notCountries.has(code) && english.of(code) !== undefined)
  .filter((code) => new Intl.Locale(`und-${code}`).region === code);

const named = (names: Intl.DisplayNames, locale: string) =>
  countryCodes
    .map((code) => ({ code, name: names.of(code) ?? code, currency: currencyOfCountry(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, locale));

const inEnglish = named(english, 'en');
const inChinese = named(chinese, 'zh-CN');

/** All countries named in Chinese for Chinese, in English for the other languages. */
export const countriesIn = (language: Language) => (language === 'zh_CN' ? inChinese : inEnglish);

export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (english.of(code) ?? code) : code);
