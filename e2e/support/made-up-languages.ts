import { type Language, languages } from '@sonnenwarte/contract/languages';
import { features, textsOf } from '@sonnenwarte/phrases/check';
import type { BrowserContext, Page } from 'playwright-core';
import { changeTexts } from './change-texts.ts';

/**
 * Two languages made up from the phrases of all: of each text the widest one, and the one with the widest word. What
 * fits in both fits in nearly every real one. Each lies over a real language, whose plural forms and dates it keeps.
 */
export const madeUp = { widest: 'pl', widestWord: 'cs' } as const satisfies Record<string, Language>;
type MadeUp = keyof typeof madeUp;

type Texts = Record<string, Record<string, string>>;

const PLURAL = /_(?:zero|one|two|few|many|other)$/;
const PLACEHOLDER = /\{\{[^}]*\}\}/g;

/** By feature and key without its plural form: the same text in all languages and forms. */
function variants(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const feature of features()) {
    for (const language of languages) {
      for (const [key, text] of textsOf(feature, language) ?? []) {
        const id = `${feature}.${key.replace(PLURAL, '')}`;
        found.set(id, (found.get(id) ?? new Set()).add(text));
      }
    }
  }
  return found;
}

interface Widths {
  whole: number;
  word: number;
}

/** How wide texts are, whole and their widest word. */
const measured = (page: Page, texts: readonly string[]): Promise<Widths[]> =>
  page.evaluate((all) => {
    const pen = new OffscreenCanvas(1, 1).getContext('2d');
    if (!pen) throw new Error('no canvas');
    pen.font = '14px sans-serif';
    const width = (text: string) => pen.measureText(text).width;
    return all.map((text) => ({ whole: width(text), word: Math.max(...text.split(/[\s\u200b]+/).map(width)) }));
  }, texts as string[]);

async function textsOfMadeUp(page: Page): Promise<Record<MadeUp, Texts>> {
  const all = variants();
  const texts = [...new Set([...all.values()].flatMap((each) => [...each]))];
  const widths = await measured(
    page,
    texts.map((text) => text.replaceAll(PLACEHOLDER, '')),
  );
  const widthOf = new Map(texts.map((text, index) => [text, widths[index] ?? { whole: 0, word: 0 }]));
  const widest = (id: string, by: keyof Widths): string =>
    [...(all.get(id) ?? [])].reduce((a, b) => ((widthOf.get(b)?.[by] ?? 0) > (widthOf.get(a)?.[by] ?? 0) ? b : a));
  const made = (carrier: Language, by: keyof Widths): Texts =>
    Object.fromEntries(
      features().map((feature) => [
        feature,
        Object.fromEntries(
          [...(textsOf(feature, carrier)?.keys() ?? [])].map((key) => [
            key,
            widest(`${feature}.${key.replace(PLURAL, '')}`, by),
          ]),
        ),
      ]),
    );
  return { widest: made(madeUp.widest, 'whole'), widestWord: made(madeUp.widestWord, 'word') };
}

let made: Promise<Record<MadeUp, Texts>> | undefined;

/** Has the portal show the made-up languages in place of those that carry them. */
export async function serveMadeUp(context: BrowserContext, page: Page): Promise<void> {
  made ??= textsOfMadeUp(page);
  for (const [name, texts] of Object.entries(await made)) {
    await changeTexts(context, madeUp[name as MadeUp], (feature, real) =>
      // Documents of a language, such as the terms, are no words of screens.
      documents.has(feature) ? real : replaced(real, texts[feature] ?? {}),
    );
  }
}

const documents: ReadonlySet<string> = new Set(['errors', 'legal']);

const replaced = (value: unknown, texts: Readonly<Record<string, string>>, key = ''): unknown =>
  typeof value === 'string'
    ? (texts[key] ?? value)
    : Object.fromEntries(
        Object.entries(value as object).map(([name, inner]) => [
          name,
          replaced(inner, texts, key === '' ? name : `${key}.${name}`),
        ]),
      );
