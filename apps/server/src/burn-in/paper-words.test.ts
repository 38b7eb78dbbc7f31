import { readFileSync } from 'node:fs';
import { languages } from '@sonnenwarte/contract/languages';
import { expect, test } from 'vitest';
import { Fonts } from '../papers/fonts.ts';
import { TaggedPage } from '../papers/page.ts';

const phrases = new URL('../../../../packages/phrases/src/', import.meta.url);

/** All texts of a part of a catalogue. */
const textsOf = (part: unknown): string[] =>
  typeof part === 'string' ? [part] : Object.values(part as object).flatMap(textsOf);

test.each(languages)('every sign of a paper in the language %s is in a font', (language) => {
  const read = (feature: string) =>
    JSON.parse(readFileSync(new URL(`${feature}/${language}.json`, phrases), 'utf8')) as Record<string, unknown>;
  const { limit, reason, unitState } = read('burn-in');
  const text = [...textsOf(read('burn-in-paper')), ...textsOf([limit, reason, unitState]), '·–°CkKΩ%#,()…'].join(' ');
  const { doc } = new TaggedPage({ title: '', author: '', language });
  const runs = new Fonts(doc, language).runs(text, 400);
  expect(runs.map((run) => run.text).join('')).toBe(text.normalize('NFC'));
});
