import { type IncidentState, moved, RETURNS_WITHIN_MS } from '@sonnenwarte/contract/incidents/incident-moves';

/** One time that something was told: a row of `alarms`. */
export interface Spell {
  readonly id: string;
  readonly sinceMs: number;
  /** null while it is told. */
  readonly untilMs: number | null;
  /** The incident that it belongs to already. */
  readonly incidentId: string | null;
}

/** What is going on at a subject under a code, if anything is. */
export interface GoingOn {
  readonly id: string;
  readonly sinceMs: number;
  /** null while it is told. */
  readonly untilMs: number | null;
}

/** An incident that does not exist yet, with its spells. */
export interface NewIncident {
  readonly spellIds: string[];
  sinceMs: number;
  untilMs: number | null;
}

export interface Folded {
  /** Spells that belong to what is going on. */
  readonly joined: string[];
  /** What is going on is done with: something begins that is not the same any more. */
  readonly isOver: boolean;
  /** The oldest first. */
  readonly begun: readonly NewIncident[];
}

const endOf = (untilMs: number | null): number => untilMs ?? Number.POSITIVE_INFINITY;

/** Spells that follow within the hour are one trouble. */
const hangTogether = (a: { sinceMs: number; untilMs: number | null }, b: { sinceMs: number; untilMs: number | null }) =>
  a.sinceMs <= endOf(b.untilMs) + RETURNS_WITHIN_MS && b.sinceMs <= endOf(a.untilMs) + RETURNS_WITHIN_MS;

/**
 * Which incident each of some spells of one subject and code belongs to. Pure; the same spells in any order and any parts come to incidents of the same
 * times.
 */
export function foldSpells(current: GoingOn | undefined, spells: readonly Spell[]): Folded {
  const joined: string[] = [];
  const begun: NewIncident[] = [];
  let going = current && { ...current };
  let isOver = false;
  for (const spell of spells.toSorted((a, b) => a.sinceMs - b.sinceMs || a.id.localeCompare(b.id))) {
    if (spell.incidentId !== null && spell.incidentId !== current?.id && spell.untilMs !== null) continue;
    const last = begun.at(-1);
    if (last !== undefined && hangTogether(last, spell)) {
      last.spellIds.push(spell.id);
      last.untilMs = endOf(spell.untilMs) > endOf(last.untilMs) ? spell.untilMs : last.untilMs;
      continue;
    }
    if (going !== undefined && (spell.incidentId === going.id || hangTogether(going, spell))) {
      joined.push(spell.id);
      const untilMs = endOf(spell.untilMs) > endOf(going.untilMs) ? spell.untilMs : going.untilMs;
      going = { ...going, sinceMs: Math.min(going.sinceMs, spell.sinceMs), untilMs };
      continue;
    }
    if (going !== undefined && spell.sinceMs > endOf(going.untilMs)) {
      isOver = true;
      going = undefined;
    }
    begun.push({ spellIds: [spell.id], sinceMs: spell.sinceMs, untilMs: spell.untilMs });
  }
  return { joined, isOver, begun };
}

/** Where an incident stands, by whether anything of it is told. */
export function stateAfter(state: IncidentState, isKnown: boolean, stands: boolean): IncidentState {
  const move = stands ? (isKnown ? 'returnKnown' : 'return') : 'clear';
  return moved(state, move) ?? state;
}

/** Whether an incident that is over by now stays so. */
export const isDone = (untilMs: number, nowMs: number): boolean => untilMs + RETURNS_WITHIN_MS <= nowMs;
