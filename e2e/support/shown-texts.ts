import type { Language } from '@sonnenwarte/contract/languages';
import type { BrowserContext, Page } from 'playwright-core';
import { changeTexts } from './change-texts.ts';

/** Two signs that are never drawn and take no room, so that a marked screen looks like one that is not. */
const OPEN = '\u2063';
const CLOSE = '\u2064';

export const isMarked = (text: string): boolean => text.includes(OPEN);

const marked = (value: unknown): unknown =>
  typeof value === 'string'
    ? `${OPEN}${value}${CLOSE}`
    : Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, marked(inner)]));

/** Has the portal put every text of its catalogues between two unseen marks, in one language. */
export const markTexts = (context: BrowserContext, language: Language): Promise<void> =>
  changeTexts(context, language, (_, texts) => marked(texts));

/** Notes what scripts draw on a canvas, such as the labels of a chart's axes. */
export async function noteDrawnTexts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const drawn = new Set<string>();
    Object.assign(globalThis, { drawnTexts: drawn });
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function note(text, ...rest) {
      drawn.add(text);
      return fillText.call(this, text, ...rest);
    };
  });
}

/** Only what is drawn from now on counts. */
export const forgetDrawnTexts = (page: Page): Promise<void> =>
  page.evaluate(() => (globalThis as { drawnTexts?: Set<string> }).drawnTexts?.clear());

/**
 * Every text that the page, or a part of it, shows or tells a screen reader: text, spoken attributes, generated content,
 * title, canvas.
 */
export const shownTexts = (page: Page, part = 'body'): Promise<string[]> =>
  page.evaluate((selector) => {
    const spoken = [
      'alt',
      'aria-description',
      'aria-label',
      'aria-roledescription',
      'aria-valuetext',
      'label',
      'placeholder',
      'title',
    ];
    const drawn = (globalThis as { drawnTexts?: Set<string> }).drawnTexts ?? [];
    const texts = new Set<string>([document.title, ...drawn]);
    const add = (text: string | null | undefined) => {
      if (text && text.trim() !== '') texts.add(text.trim());
    };
    for (const element of document.body.querySelectorAll('*')) {
      if (element.matches('script, style') || !element.closest(selector) || !element.checkVisibility()) continue;
      for (const name of spoken) add(element.getAttribute(name));
      for (const child of element.childNodes) if (child.nodeType === Node.TEXT_NODE) add(child.textContent);
      // The end of a title that is cut is said whole beside it.
      for (const pseudo of element.matches('[data-tail]') ? [] : ['::before', '::after']) {
        const { content } = getComputedStyle(element, pseudo);
        if (content.startsWith('"')) add(content.slice(1, -1));
      }
      if (element instanceof HTMLSelectElement) for (const option of element.options) add(option.label);
      if (element instanceof HTMLInputElement && ['button', 'submit'].includes(element.type)) add(element.value);
      if (element instanceof SVGElement && element.tagName === 'svg')
        for (const each of element.querySelectorAll('title, desc')) add(each.textContent);
    }
    return [...texts];
  }, part);

/** Fields of answers that hold what people named: user names may look like identifiers. */
const NAMED = new Set(['account', 'actor', 'name', 'recordName', 'user', 'userName', 'username']);

/** An identifier of the program (`offline`, `site.update`): no record is called so, and no text may be. */
const IDENTIFIER = /^[a-z]+(?:[A-Z._-][\w.-]*)?$/;
const UNITS =
  /https?:\/\/|[A-Z]{1,3}\$|GMT(?:[+-]\d{2}:\d{2})?|(?<![\p{L}\d])(?:W\/m²|[kMG]?W(?:h|p)?|Hz|[mk]?[VA]|k?var|kVA|°C|k?Ω|%|Ah|dBm|rpm|r\/min|m\/s|kB|MB|s|min|h|d|kg|t|L[123]|SN|cos φ|[ND](?:BIRTH|DATA|DEATH|CMD)|JSON (?:up|status|cmd|ack))(?![\p{L}\d])/gu;

const symbolOf = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? '';
/** The signs of money that are words by their letters, such as zł and Kč. */
const CURRENCIES = new RegExp(
  `(?<![\\p{L}\\d])(?:${Intl.supportedValuesOf('currency')
    .map(symbolOf)
    .filter((symbol) => /^\p{L}+$/u.test(symbol))
    .join('|')})(?![\\p{L}\\d])`,
  'gu',
);

/** What the server has answered: all of it, first letters, and what is worth looking for within a text. */
export interface DataWords {
  readonly all: ReadonlySet<string>;
  readonly initials: ReadonlySet<string>;
  readonly longestFirst: readonly string[];
}

const arranged = (data: Iterable<string>): DataWords => {
  const all = new Set(data);
  return {
    all,
    initials: new Set([...all].map((known) => known.slice(0, 1).toUpperCase())),
    longestFirst: [...all].filter((known) => known.length > 2 || /\d/.test(known)).sort((a, b) => b.length - a.length),
  };
};

/** Collects the words of everything that the server answers a page: names, serial numbers, addresses. */
export function dataOf(page: Page, names: Iterable<string>): { words(): Promise<DataWords> } {
  const data = new Set<string>(names);
  let read: Promise<unknown> = Promise.resolve();
  const collect = (value: unknown, field = ''): void => {
    if (typeof value === 'string') {
      if (/\p{L}/u.test(value) && (NAMED.has(field) || !IDENTIFIER.test(value))) data.add(value);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) collect(inner, key);
    }
  };
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('application/json'))
      read = Promise.all([
        read,
        response.json().then(
          (body) => collect(body),
          () => undefined,
        ),
      ]);
  });
  let words = arranged(data);
  return {
    words: async () => {
      await read;
      if (words.all.size < data.size) words = arranged(data);
      return words;
    },
  };
}

const MARKED = new RegExp(`${OPEN}[^${OPEN}${CLOSE}]*${CLOSE}`, 'g');
const LATIN = /\p{Script=Latin}/u;

/**
 * What of a marked text is neither of the catalogues nor data: Latin letters that are left once marked texts, the
 * server's words and units are taken away. The language must be one whose dates have no Latin letters.
 */
export function outsideCatalogue(text: string, { all, initials, longestFirst }: DataWords): string {
  let rest = text;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(MARKED, ' ');
  }
  rest = rest.trim();
  if (!LATIN.test(rest) || all.has(rest) || initials.has(rest)) return '';
  for (const known of longestFirst) if (rest.includes(known)) rest = rest.replaceAll(known, ' ');
  rest = rest.replace(UNITS, ' ').replace(CURRENCIES, ' ').trim();
  return LATIN.test(rest) ? rest : '';
}
