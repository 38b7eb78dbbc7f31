import type { Catalogue } from '@sonnenwarte/phrases/catalogue';
import type legal from '@sonnenwarte/phrases/json/legal/en';
import type { PhraseLanguage } from '@sonnenwarte/phrases/languages';

/** Where the build has put the texts, and which sets of them there are. */
const { at, sets } = import.meta.env.TEXTS ?? { at: '/texts', sets: [] };

/** Whether there are texts of that name; a screen that shows what the workspace has needs none of its own. */
export const hasSet = (set: string): boolean => sets.includes(set);

async function fetchFile(set: string, language: PhraseLanguage): Promise<unknown> {
  const address = `${at}/${language}/${set}.json`;
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return await response.json();
  } catch (error) {
    // As code that did not come: most often a new version is out.
    dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }));
    throw error;
  }
}

/** A set of the texts in a language. */
export const textsOfSet = async (set: string, language: PhraseLanguage): Promise<Partial<Catalogue>> =>
  (await fetchFile(set, language)) as Partial<Catalogue>;

/** Texts of error numbers in a language, for when the server's table could not be read. */
export const errorTexts = async (language: PhraseLanguage): Promise<Record<string, string>> =>
  ((await fetchFile('errors', language)) as { errors: Record<string, string> }).errors;

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

export const legalTexts = async (language: PhraseLanguage): Promise<LegalTexts> =>
  ((await fetchFile('legal-texts', language)) as { legal: LegalTexts }).legal;
