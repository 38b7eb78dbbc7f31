import type { Catalogue } from './catalogue.ts';
import type { PhraseLanguage } from './languages.ts';

type Files = Readonly<Record<string, unknown>>;

/** One module, and so one chunk of the build, per language. */
const bundles: Record<PhraseLanguage, () => Promise<{ files: Files }>> = {
  de: () => import('./bundles/de.ts'),
  en: () => import('./bundles/en.ts'),
  cs: () => import('./bundles/cs.ts'),
  es: () => import('./bundles/es.ts'),
  fr: () => import('./bundles/fr.ts'),
  it: () => import('./bundles/it.ts'),
  pl: () => import('./bundles/pl.ts'),
  pt: () => import('./bundles/pt.ts'),
  ro: () => import('./bundles/ro.ts'),
  ko: () => import('./bundles/ko.ts'),
  zh_CN: () => import('./bundles/zh_CN.ts'),
};

const errorFiles = import.meta.glob<Record<string, string>>('./errors/*.json', { import: 'default' });

/** All texts of the web app in a language; only for code that Vite builds. */
export async function loadPhrases(language: PhraseLanguage): Promise<Partial<Catalogue>> {
  const { files } = await bundles[language]();
  const byFeature = Object.entries(files).map(([path, texts]) => [path.split('/').at(-2) ?? '', texts] as const);
  return Object.fromEntries(byFeature) as Partial<Catalogue>;
}

/** Texts of error numbers in a language, for when the server's table could not be read. */
export async function loadErrorTexts(language: PhraseLanguage): Promise<Record<string, string>> {
  return (await errorFiles[`./errors/${language}.json`]?.()) ?? {};
}
