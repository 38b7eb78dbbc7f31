import type { DropReason } from '@sonnenwarte/contract/alarm-rules/delivery-moves';
import { type IncidentState, RETURNS_WITHIN_MS } from '@sonnenwarte/contract/incidents/incident-moves';
import { afterQuiet, type Times } from './telling-times.ts';

/** An incident as who is to be told of it sees it when the time has come. */
export interface SeenIncident {
  readonly state: IncidentState;
  readonly level: number;
  /** When it was over; `null` while it goes on. */
  readonly untilMs: number | null;
  readonly mutedUntilMs: number | null;
  /** Nothing that the receiver sees explains it. */
  readonly standsAlone: boolean;
}

export interface JudgedTelling {
  readonly event: 'began' | 'escalated' | 'ended';
  /** The rule is on and still asks for an incident of this level and code. */
  readonly ruleHolds: boolean;
  readonly times: Times;
  readonly zone: string;
}

export type Verdict =
  | { readonly kind: 'tell' }
  | { readonly kind: 'drop'; readonly reason: DropReason }
  | { readonly kind: 'later'; readonly atMs: number };

const drop = (reason: DropReason): Verdict => ({ kind: 'drop', reason });

/** What becomes of a telling whose time has come; `undefined` = an incident that its receiver does not see. */
export function judge(telling: JudgedTelling, incident: SeenIncident | undefined, nowMs: number): Verdict {
  if (incident === undefined) return drop('unseen');
  if (!telling.ruleHolds) return drop('ruleChanged');
  const { state, level, untilMs, mutedUntilMs, standsAlone } = incident;
  const isOver = state === 'cleared' || state === 'closed';
  if (telling.event === 'ended') {
    if (!isOver) return drop('returned');
    // It may have come back meanwhile, and be over since less.
    const overMs = (untilMs ?? nowMs) + RETURNS_WITHIN_MS;
    if (state === 'cleared' && overMs > nowMs) return { kind: 'later', atMs: overMs };
  } else {
    if (isOver) return drop('over');
    if (state === 'acknowledged') return drop('acknowledged');
    if (!standsAlone) return drop('explained');
    if (mutedUntilMs !== null && mutedUntilMs > nowMs) return { kind: 'later', atMs: mutedUntilMs };
  }
  const { times, zone } = telling;
  const atMs = level >= 4 && times.criticalAlways ? nowMs : afterQuiet(nowMs, times, zone);
  return atMs > nowMs ? { kind: 'later', atMs } : { kind: 'tell' };
}
