import type { SearchedKind } from '@sonnenwarte/contract/search/search';

/** What rows of the palette are; `all` where no kind was chosen. */
export const kinds = ['all', 'plants', 'devices', 'orders', 'actions', 'people', 'screens'] as const;
export type Kind = (typeof kinds)[number];

const prefixes: Readonly<Record<string, Kind>> = { '>': 'actions', '#': 'devices', '@': 'people', '/': 'screens' };
/** What the contract takes at most. */
const LONGEST = 64;

export interface Wish {
  kind: Kind;
  text: string;
}

/** What is looked for: a sign at the beginning says the kind and counts more than the chosen one. */
export function wishOf(typed: string, chosen: Kind): Wish {
  const begun = typed.trimStart();
  const kind = prefixes[begun.slice(0, 1)];
  const text = (kind === undefined ? begun : begun.slice(1)).trim().slice(0, LONGEST);
  return { kind: kind ?? chosen, text };
}

/** What the server is to be asked for; nothing where all of the kind is known here. */
export function questionOf({ kind, text }: Wish): { content: string; kind?: SearchedKind } | undefined {
  if (text === '' || kind === 'actions' || kind === 'screens') return undefined;
  return kind === 'all' ? { content: text } : { content: text, kind };
}

/** A text cut around what matches in it, whatever its case. */
export function marked(text: string, wanted: string): { before: string; match: string; after: string } {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at === -1) return { before: text, match: '', after: '' };
  return {
    before: text.slice(0, at),
    match: text.slice(at, at + wanted.length),
    after: text.slice(at + wanted.length),
  };
}

export const matches = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());
