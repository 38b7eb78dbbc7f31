import type { Catalogue } from './catalogue.ts';
import type { PhraseLanguage } from './languages.ts';
import type legal from './legal/en.json';

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

/** Texts that are fetched with the first screen that needs them, in one chunk per language. */
const groups = {
  administration: {
    de: () => import('./bundles/administration/de.ts'),
    en: () => import('./bundles/administration/en.ts'),
    cs: () => import('./bundles/administration/cs.ts'),
    es: () => import('./bundles/administration/es.ts'),
    fr: () => import('./bundles/administration/fr.ts'),
    it: () => import('./bundles/administration/it.ts'),
    pl: () => import('./bundles/administration/pl.ts'),
    pt: () => import('./bundles/administration/pt.ts'),
    ro: () => import('./bundles/administration/ro.ts'),
    ko: () => import('./bundles/administration/ko.ts'),
    zh_CN: () => import('./bundles/administration/zh_CN.ts'),
  },
} as const satisfies Record<string, typeof bundles>;

export type TextGroup = keyof typeof groups;

const errorFiles = import.meta.glob<Record<string, string>>('./errors/*.json', { import: 'default' });

const byFeature = (files: Files): Partial<Catalogue> =>
  Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [path.split('/').at(-2) ?? '', texts]),
  ) as Partial<Catalogue>;

/** The texts of the web app in a language that every page may need; only for code that Vite builds. */
export async function loadPhrases(language: PhraseLanguage): Promise<Partial<Catalogue>> {
  return byFeature((await bundles[language]()).files);
}

/** The texts of a group of screens in a language. */
export async function loadPhraseGroup(group: TextGroup, language: PhraseLanguage): Promise<Partial<Catalogue>> {
  return byFeature((await groups[group][language]()).files);
}

/** Texts of error numbers in a language, for when the server's table could not be read. */
export async function loadErrorTexts(language: PhraseLanguage): Promise<Record<string, string>> {
  return (await errorFiles[`./errors/${language}.json`]?.()) ?? {};
}

interface LegalPage {
  title: string;
  intro: string;
  sections: Readonly<Record<string, { title: string; text: string }>>;
}

/** The pages about terms and privacy: long, and read by few. */
export interface LegalTexts extends Pick<typeof legal, 'operator'> {
  terms: LegalPage;
  privacy: LegalPage;
}

const legalFiles = import.meta.glob<typeof legal>('./legal/*.json', { import: 'default' });

export async function loadLegalTexts(language: PhraseLanguage): Promise<LegalTexts> {
  const load = legalFiles[`./legal/${language}.json`];
  if (!load) throw new Error(`no legal texts in ${language}`);
  return load();
}
