import type { Catalogue } from '@sonnenwarte/phrases/catalogue';
import { features } from '@sonnenwarte/phrases/check';
import { textsOfFeatures } from '@sonnenwarte/phrases/files';
import type { PhraseLanguage } from '@sonnenwarte/phrases/languages';

/** All texts of a language at once, for tests. */
export const allTexts = (language: PhraseLanguage) =>
  textsOfFeatures(features(), language) as unknown as Catalogue & { errors: Record<string, string> };
