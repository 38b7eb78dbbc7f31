import type { IncidentDetail, IncidentEntry } from '@sonnenwarte/contract/incidents/incidents';

type Spell = IncidentDetail['spells'][number];

/** What is told of an incident: a step, or all the times that it came as one. */
export type ToldEntry =
  | { readonly kind: 'step'; readonly entry: IncidentEntry }
  | { readonly kind: 'spells'; readonly atMs: number; readonly spells: readonly Spell[] };

const comings: readonly IncidentEntry['kind'][] = ['returned', 'cleared'];

/** The way of an incident, newest first. Where it came more than once, its coming and going is one entry, and only its last end stands by itself. */
export function toldHistory(
  entries: readonly IncidentEntry[],
  spells: readonly Spell[],
  isStanding: boolean,
): ToldEntry[] {
  const newest = spells[0];
  if (spells.length < 2 || newest === undefined) return entries.map((entry) => ({ kind: 'step', entry }));
  const end = isStanding ? undefined : entries.find(({ kind }) => kind === 'cleared');
  const steps = entries
    .filter((entry) => entry === end || !comings.includes(entry.kind))
    .map((entry) => ({ kind: 'step', entry }) as const);
  const folded = { kind: 'spells', atMs: newest.sinceMs, spells } as const;
  const at = steps.findIndex(({ entry }) => entry.atMs < newest.sinceMs);
  return at === -1 ? [...steps, folded] : [...steps.slice(0, at), folded, ...steps.slice(at)];
}
