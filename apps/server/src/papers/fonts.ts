import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Language } from '@sonnenwarte/contract/languages';
import * as fontkit from 'fontkit';
import type PDFDocument from 'pdfkit';
import { unpackedFont } from './unpacked-font.ts';

export type Weight = 400 | 600 | 700;
type Document = InstanceType<typeof PDFDocument>;

const inter = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'];
const chinese = { family: 'noto-sans-sc', subset: 'chinese-simplified' } as const;
const korean = { family: 'noto-sans-kr', subset: 'korean' } as const;

/** Files of fonts of a weight in the order in which a sign is looked for; Chinese signs in Korean texts look as Koreans write them. */
function filesOf(weight: Weight, language: Language): string[] {
  const eastern = language === 'ko' ? [korean, chinese] : [chinese, korean];
  return [
    ...inter.map((subset) => `@fontsource/inter/files/inter-${subset}-${weight}-normal.woff`),
    ...eastern.map(({ family, subset }) => `@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`),
  ];
}

/** Parsed once: each document makes a subset of its own. */
const parsed = new Map<string, fontkit.Font>();

function fontOf(file: string): fontkit.Font {
  const there = parsed.get(file);
  if (there) return there;
  const font = fontkit.create(unpackedFont(readFileSync(fileURLToPath(import.meta.resolve(file))))) as fontkit.Font;
  parsed.set(file, font);
  return font;
}

/** A part of a text that one font can show. */
export interface Run {
  readonly font: string;
  readonly text: string;
}

const UNKNOWN = '?';

/** The fonts of a document: those that its texts need are read, and no others. */
export class Fonts {
  readonly #doc: Document;
  readonly #language: Language;
  readonly #known = new Set<string>();
  readonly #signs = new Map<string, string | undefined>();

  constructor(doc: Document, language: Language) {
    this.#doc = doc;
    this.#language = language;
  }

  /** A text by the fonts that have its signs; one that none has is a question mark. */
  runs(text: string, weight: Weight): Run[] {
    const runs: { font: string; text: string }[] = [];
    for (const sign of text.normalize('NFC')) {
      const found = this.#fileOf(sign, weight);
      const font = found ?? this.#fileOf(UNKNOWN, weight) ?? '';
      const last = runs.at(-1);
      const shown = found === undefined ? UNKNOWN : sign;
      if (last?.font === font) last.text += shown;
      else runs.push({ font, text: shown });
    }
    return runs;
  }

  #fileOf(sign: string, weight: Weight): string | undefined {
    const key = `${weight}${sign}`;
    if (this.#signs.has(key)) return this.#signs.get(key);
    const code = sign.codePointAt(0) ?? 0;
    const file = filesOf(weight, this.#language).find((each) => fontOf(each).hasGlyphForCodePoint(code));
    if (file !== undefined && !this.#known.has(file)) {
      this.#known.add(file);
      // What was parsed is taken as it is; the types know only where it came from.
      this.#doc.registerFont(file, fontOf(file) as unknown as string);
    }
    this.#signs.set(key, file);
    return file;
  }
}
