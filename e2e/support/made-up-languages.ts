import { type Language, languages } from '@sonnenwarte/contract/languages';
import { features, textsOf } from '@sonnenwarte/phrases/check';
import type { BrowserContext, Page } from 'playwright-core';

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
    const chunk = new RegExp(`/assets/${madeUp[name as MadeUp]}-[\\w-]+\\.js$`);
    await context.route(chunk, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `
          import * as catalogue from ${JSON.stringify(`${route.request().url()}?real`)};
          const texts = ${JSON.stringify(texts)};
          const made = (value, known, key) =>
            typeof value === 'string' ? known[key] ?? value
              : value && typeof value === 'object'
                ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, made(v, known, key ? key + '.' + k : k)]))
                : value;
          // A document of the language, such as the terms, has no texts by name.
          export const files = catalogue.files && Object.fromEntries(
            Object.entries(catalogue.files).map(([path, value]) => [path, made(value, texts[path.split('/').at(-2)] ?? {}, '')]),
          );
          export default catalogue.default;`,
      }),
    );
  }
}
