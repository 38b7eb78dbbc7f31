import { isLanguage, type Language } from '@sonnenwarte/contract/languages';

/** The language that most people of a country speak, where the portal has it. */
export function languageOfCountry(country: string): Language | undefined {
  if (!/^[A-Z]{2}$/.test(country)) return undefined;
  const { language } = new Intl.Locale('und', { region: country }).maximize();
  const known = language === 'zh' ? 'zh_CN' : language;
  return isLanguage(known) ? known : undefined;
}
