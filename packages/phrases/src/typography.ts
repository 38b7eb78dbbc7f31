import type { PhraseLanguage } from './languages.ts';

const NO_BREAK_SPACE = '\u00a0';

const quotes: Record<PhraseLanguage, readonly [string, string]> = {
  de: ['„', '“'],
  en: ['“', '”'],
  cs: ['„', '“'],
  es: ['«', '»'],
  fr: [`«${NO_BREAK_SPACE}`, `${NO_BREAK_SPACE}»`],
  it: ['«', '»'],
  pl: ['„', '”'],
  pt: ['«', '»'],
  ro: ['„', '”'],
  ko: ['“', '”'],
  zh_CN: ['“', '”'],
};

const withCommaBelow: Readonly<Record<string, string>> = { ş: 'ș', ţ: 'ț', Ş: 'Ș', Ţ: 'Ț' };
const fullWidth: Readonly<Record<string, string>> = { ',': '，', ':': '：', ';': '；', '!': '！', '?': '？' };

const ofLanguage: Partial<Record<PhraseLanguage, (text: string) => string>> = {
  fr: (text) => text.replace(/ (?=[:;!?»])/g, NO_BREAK_SPACE).replace(/« /g, `«${NO_BREAK_SPACE}`),
  ro: (text) => text.replace(/[şţŞŢ]/g, (letter) => withCommaBelow[letter] ?? letter),
  zh_CN: (text) => text.replace(/(?<=\p{Script=Han})[,:;!?]/gu, (sign) => fullWidth[sign] ?? sign),
};

/**
 * A text as it is set in its language: the language's quotation marks, apostrophe and ellipsis as characters, no-break
 * spaces before units, before a separate ellipsis and, in French, around double punctuation.
 */
export function typographic(text: string, language: PhraseLanguage): string {
  const [open, close] = quotes[language];
  const set = text
    .replace(/^[ \t]+|[ \t]+$/gm, '')
    .replace(/"([^"]*)"/g, `${open}$1${close}`)
    .replace(/(?<=\p{L})'/gu, '’')
    .replace(/\.\.\./g, '…')
    .replace(/ …/g, `${NO_BREAK_SPACE}…`)
    .replace(/ - /g, ' – ')
    .replace(/ {2,}/g, ' ')
    .replace(/(?<=\d) (?=(?:[kMG]?Wh?|kW[pc]|V|A|Hz|°C|s|min|h|[kM]B)\b|%|°C)/g, NO_BREAK_SPACE)
    .replace(/(?<=\}\}) (?=(?:[kMG]Wh?|kW[pc])\b|%)/g, NO_BREAK_SPACE);
  return ofLanguage[language]?.(set) ?? set;
}
