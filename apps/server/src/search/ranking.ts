/** What was found, before its row is read. */
export interface Candidate {
  readonly id: string;
  /** What was searched: a name, a serial number. */
  readonly text: string;
}

const BEGINNING = 0;
const WORD = 1;
const INSIDE = 2;

function placeOf(text: string, wanted: string): number {
  if (text.startsWith(wanted)) return BEGINNING;
  return text.includes(` ${wanted}`) ? WORD : INSIDE;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The best of what was found, each once: at the beginning before that of a word before elsewhere, then by the text. */
export function best<C extends Candidate>(
  found: readonly C[],
  wanted: string,
  most: number,
): { best: C[]; more: boolean } {
  const lowered = wanted.toLowerCase();
  const each = [...new Map(found.map((candidate) => [candidate.id, candidate])).values()];
  const ranked = each
    .map((candidate) => ({ candidate, text: candidate.text.toLowerCase() }))
    .sort((a, b) => placeOf(a.text, lowered) - placeOf(b.text, lowered) || compare(a.text, b.text))
    .map(({ candidate }) => candidate);
  return { best: ranked.slice(0, most), more: ranked.length > most };
}
