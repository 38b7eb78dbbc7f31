import type { Language } from '@sonnenwarte/contract/languages';
import type { Tone } from '../papers/colours.ts';
import type { PaperBrand } from '../papers/letterhead.ts';

/** The thread that draws certificates and reports. */
export const pdfThread = new URL('./pdf-thread.ts', import.meta.url);

export interface PaperCell {
  readonly text: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
}

export interface PaperTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly PaperCell[])[];
  /** Widths of the columns behind the first, in points. */
  readonly widths: readonly number[];
}

/** A curve beside what was asked; times are shares of the run, values shares of the axis. */
export interface PaperCurve {
  readonly title: string;
  readonly alt: string;
  readonly tellsPower: string;
  readonly tellsAsked: string;
  /** Of each `[place, value]`, 0 to 1; null breaks the line. */
  readonly power: readonly (readonly [number, number] | null)[];
  readonly asked: readonly (readonly [number, number] | null)[];
  readonly top: string;
  readonly start: string;
  readonly end: string;
}

/** A certificate or a report in words, ready to be drawn. */
export interface Paper {
  readonly title: string;
  readonly heading: string;
  readonly name: string;
  readonly about: string;
  readonly verdict: { readonly text: string; readonly tone: 'good' | 'bad' | 'muted' };
  /** What the paper says in a sentence. */
  readonly sentence: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** The same, over the whole width. */
  readonly notes: readonly (readonly [label: string, value: string])[];
  readonly curve: PaperCurve | null;
  readonly tables: readonly PaperTable[];
  readonly foot: string;
  readonly made: string;
}

export interface PaperTask {
  readonly paper: Paper;
  readonly language: Language;
  readonly brand: PaperBrand;
}
