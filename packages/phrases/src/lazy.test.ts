import { expect, test } from 'vitest';
import { features } from './check.ts';
import { phraseLanguages } from './languages.ts';
import { loadPhraseGroup, loadPhrases } from './lazy.ts';

/** Read by the server, or fetched by the one page that shows them. */
const elsewhere = ['errors', 'legal', 'mail', 'notices'];

test.each(phraseLanguages)('every feature has its texts in %s in exactly one chunk', async (language) => {
  const first = Object.keys(await loadPhrases(language));
  const administration = Object.keys(await loadPhraseGroup('administration', language));
  expect([...first, ...administration, ...elsewhere].sort()).toEqual(features());
});
