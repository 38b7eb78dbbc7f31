import { Fragment, type ReactNode } from 'react';
import { Hint } from '../blocks/overlay/hint.tsx';

/** A figure of a sentence: as it is written, and its definition. */
export interface Figure {
  readonly shown: string;
  readonly meaning: string;
}

/** Private signs that no text holds. */
const OPEN = '\uE000';
const CLOSE = '\uE001';
const MARKED = new RegExp(`${OPEN}(\\d+)${CLOSE}`);

/** Figures of one sentence: each is marked where its text goes, and comes back as a button that tells its definition. */
export class Figures {
  readonly #all: Figure[] = [];

  mark(shown: string, meaning: string): string {
    this.#all.push({ shown, meaning });
    return `${OPEN}${this.#all.length - 1}${CLOSE}`;
  }

  /** The sentence with its figures in place. */
  within(text: string): ReactNode {
    return text.split(MARKED).map((part, place) => {
      const figure = place % 2 === 1 ? this.#all[Number(part)] : undefined;
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence have no other name than their place
        <Fragment key={place}>
          {figure === undefined ? part : <Hint text={figure.meaning}>{figure.shown}</Hint>}
        </Fragment>
      );
    });
  }
}
