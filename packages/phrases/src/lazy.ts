import type { Catalogue } from './catalogue.ts';
import type { PhraseLanguage } from './languages.ts';

type Loader = () => Promise<unknown>;

/** Texts of the web app by file; the build puts all files of a language into one chunk. */
const files = import.meta.glob<unknown>(['./*/*.json', '!./errors/*.json'], { import: 'default' });
const errorFiles = import.meta.glob<unknown>('./errors/*.json', { import: 'default' });

const filesOf = (loaders: Record<string, Loader>, language: PhraseLanguage) =>
  Object.entries(loaders).flatMap(([path, load]) => {
    const [, feature, name] = /^\.\/([^/]+)\/([^/]+)\.json$/.exec(path) ?? [];
    return feature !== undefined && name === language ? [{ feature, load }] : [];
  });

/** All texts of the web app in a language; only for code that Vite builds. */
export async function loadPhrases(language: PhraseLanguage): Promise<Partial<Catalogue>> {
  const loaded = filesOf(files, language).map(async ({ feature, load }) => [feature, await load()] as const);
  return Object.fromEntries(await Promise.all(loaded)) as Partial<Catalogue>;
}

/** Texts of error numbers in a language, for when the server's table could not be read. */
export async function loadErrorTexts(language: PhraseLanguage): Promise<Record<string, string>> {
  const [file] = filesOf(errorFiles, language);
  return file ? ((await file.load()) as Record<string, string>) : {};
}
