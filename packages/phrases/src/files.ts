import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PhraseLanguage } from './languages.ts';

/** The texts of features in a language by feature, as they stand in their files. */
export const textsOfFeatures = (features: readonly string[], language: PhraseLanguage): Record<string, unknown> =>
  Object.fromEntries(
    features.map((feature) => [
      feature,
      JSON.parse(readFileSync(join(import.meta.dirname, feature, `${language}.json`), 'utf8')),
    ]),
  );
