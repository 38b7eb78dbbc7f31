import { type Language, localeOf } from '@sonnenwarte/contract/languages';
import PDFDocument from 'pdfkit';
import { Fonts, type Run, type Weight } from './fonts.ts';

export type Struct = PDFKit.PDFStructureElement;
type Document = InstanceType<typeof PDFDocument>;

/** A4 in points; a point is 4/3 of the pixels in which it was drawn up. */
export const WIDTH = 595.28;
export const HEIGHT = 841.89;
export const MARGIN = 39;
export const INNER = WIDTH - 2 * MARGIN;

export interface TextLook {
  readonly size: number;
  readonly weight?: Weight;
  readonly colour?: string;
  readonly align?: 'left' | 'right' | 'center';
  /** What is longer is cut off, with dots. */
  readonly width?: number;
}

const DOTS = '…';
/** All digits as wide as each other: set closer, a point between 7 and 1 can hardly be seen. */
const FIGURES: PDFKit.Mixins.TextOptions = { features: ['tnum'] };
const INK = '#101828';

/** One page, tagged: whatever it shows is part of its structure, or said to be decoration. */
export class TaggedPage {
  readonly doc: Document;
  readonly root: Struct;
  readonly #fonts: Fonts;

  constructor({ title, author, language }: { title: string; author: string; language: Language }) {
    this.doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      pdfVersion: '1.7',
      // The types do not know it yet.
      subset: 'PDF/UA' as 'PDF/A-3a',
      tagged: true,
      displayTitle: true,
      lang: localeOf(language),
      info: { Title: title, Author: author },
      autoFirstPage: false,
      // Texts have the fonts that are named for them; the built-in ones cannot be embedded.
      font: null as unknown as string,
    });
    this.doc.addPage();
    this.#fonts = new Fonts(this.doc, language);
    this.root = this.doc.struct('Document');
    this.doc.addStructure(this.root);
  }

  /** A part of the structure that holds others. */
  group(parent: Struct, type: string): Struct {
    const struct = this.doc.struct(type);
    parent.add(struct);
    return struct;
  }

  /** A part of the structure with what it shows. */
  tag(parent: Struct, type: string, draw: () => void, options: PDFKit.Mixins.StructureElementOptions = {}): void {
    parent.add(this.doc.struct(type, options, draw));
  }

  /** What is drawn tells nothing that is not told elsewhere. */
  decoration(draw: (doc: Document) => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw(this.doc);
    this.doc.endMarkedContent();
  }

  widthOf(text: string, { size, weight = 400 }: TextLook): number {
    return this.#widthOfRuns(this.#fonts.runs(text, weight), size);
  }

  #widthOfRuns(runs: readonly Run[], size: number): number {
    return runs.reduce(
      (width, { font, text }) => width + this.doc.font(font).fontSize(size).widthOfString(text, FIGURES),
      0,
    );
  }

  /** Writes a line on its baseline; answers its width. */
  text(text: string, x: number, y: number, look: TextLook): number {
    const { size, weight = 400, colour = INK, align = 'left', width } = look;
    const shown = width === undefined ? text : this.#cut(text, width, look);
    const runs = this.#fonts.runs(shown, weight);
    const whole = this.#widthOfRuns(runs, size);
    let at = x - (align === 'right' ? whole : align === 'center' ? whole / 2 : 0);
    for (const { font, text: part } of runs) {
      this.doc.font(font).fontSize(size).fillColor(colour);
      this.doc.text(part, at, y, { ...FIGURES, lineBreak: false, baseline: 'alphabetic' });
      at += this.doc.widthOfString(part, FIGURES);
    }
    return whole;
  }

  #cut(text: string, width: number, look: TextLook): string {
    if (this.widthOf(text, look) <= width) return text;
    const signs = [...text];
    while (signs.length > 0 && this.widthOf(signs.join('') + DOTS, look) > width) signs.pop();
    return signs.join('').trimEnd() + DOTS;
  }

  /** A text in lines no wider than that; between Chinese or Korean signs it may be broken anywhere. */
  lines(text: string, width: number, look: TextLook): string[] {
    const words = text.match(/[\u3000-\u9fff\uac00-\ud7af]|[^\s\u3000-\u9fff\uac00-\ud7af]+|\s+/gu) ?? [];
    const lines = [''];
    for (const word of words) {
      const line = lines.at(-1) ?? '';
      if (this.widthOf((line + word).trimEnd(), look) <= width || line === '') lines[lines.length - 1] = line + word;
      else lines.push(word.trimStart());
    }
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  }

  /** Ends the page; answers the file. */
  async end(): Promise<Buffer> {
    const parts: Buffer[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      this.doc.on('data', (part: Buffer) => parts.push(part));
      this.doc.on('end', resolve);
      this.doc.on('error', reject);
    });
    this.root.end();
    this.doc.end();
    await ended;
    return Buffer.concat(parts);
  }
}
