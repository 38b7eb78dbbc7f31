import type { Language } from '@sonnenwarte/contract/languages';
import type { Tone } from '../../papers/colours.ts';
import type { PaperBrand } from '../../papers/letterhead.ts';
import type { DayBar, MonthFigures } from '../month-figures.ts';

/** The thread that draws it. */
export const pdfThread = new URL('./pdf-thread.ts', import.meta.url);

/** What a page is made of; it passes from thread to thread. */
export interface SheetTask {
  readonly figures: MonthFigures;
  readonly language: Language;
  readonly brand: PaperBrand;
}

export interface Split {
  readonly title: string;
  readonly parts: readonly { label: string; text: string; wh: number; tone: Tone }[];
  /** All parts and their sum in words. */
  readonly sentence: string;
}

export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
}

export interface Table {
  readonly title: string;
  /** Headers of the columns; none where the rows say it themselves. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Widths of the columns behind the first, in points. */
  readonly widths: readonly number[];
  /** What stands below the rows, or in their place. */
  readonly note: string;
}

/** A page in words, ready to be drawn. */
export interface Sheet {
  readonly title: string;
  readonly heading: string;
  readonly plant: string;
  readonly about: string;
  readonly verdict: { readonly text: string; readonly tone: 'good' | 'bad' | 'muted' } | null;
  readonly figures: readonly { label: string; value: string; unit: string; note: string; tone: Tone }[];
  readonly chart: {
    readonly title: string;
    readonly legend: { generated: string; estimated: string | null; possible: string | null; alarm: string | null };
    readonly bars: readonly DayBar[];
    readonly unit: { readonly wh: number; readonly text: (wh: number) => string };
    readonly alt: string;
  };
  readonly splits: readonly [Split, Split];
  readonly tables: readonly [Table, Table, Table, Table];
  /** What to look at next month, below the tables; null where nothing speaks for anything. */
  readonly tip: Table | null;
  readonly foot: readonly [string, string];
}
