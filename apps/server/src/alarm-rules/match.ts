import { RETURNS_WITHIN_MS } from '@sonnenwarte/contract/incidents/incident-moves';
import { isValidZone } from '@sonnenwarte/energy/calendar';
import type { Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';
import {
  addTellings,
  endsToTell,
  type Met,
  type NewTelling,
  renewEscalations,
  rulesMet,
  takeIncidents,
} from './match.store.ts';
import { dueAt, sendAt, type Times } from './telling-times.ts';

/** Incidents that are looked at together. */
const MOST_AT_ONCE = 500;
/** What comes back within this time is the same incident, which is not over. */
const END_PATIENCE_MS = RETURNS_WITHIN_MS;
const UNKNOWN_ZONE = 'UTC';

export const zoneOf = ({ time_zone }: { readonly time_zone: string | null }): string =>
  time_zone !== null && isValidZone(time_zone) ? time_zone : UNKNOWN_ZONE;

export const timesOf = (met: Omit<Met, 'incident_id' | 'level' | 'at'>): Times => ({
  delayMinutes: met.delay_minutes,
  mode: met.mode,
  digestAt: met.digest_at,
  quietFrom: met.quiet_from,
  quietTo: met.quiet_to,
  criticalAlways: met.critical_always,
});

const tellingsOf = (met: Met, event: NewTelling['event'], dueMs: number): NewTelling[] =>
  met.channels.map((channel) => ({
    rule_id: met.rule_id,
    incident_id: met.incident_id,
    account_id: met.account_id,
    channel,
    event,
    due_at: new Date(dueMs),
  }));

/** Finds who is told of incidents that are new, go on again or are over. Answers how many were looked at. */
export async function matchIncidents(tx: Transaction<Database>): Promise<number> {
  const incidents = await takeIncidents(tx, MOST_AT_ONCE);
  if (incidents.length === 0) return 0;
  const met = await rulesMet(tx, incidents);
  const over = await endsToTell(tx, incidents);
  await renewEscalations(tx, incidents);
  await addTellings(tx, [
    ...met.flatMap((each) =>
      tellingsOf(each, 'began', dueAt(each.at.getTime(), each.level, timesOf(each), zoneOf(each))),
    ),
    ...over.flatMap((each) =>
      tellingsOf(each, 'ended', sendAt(each.at.getTime() + END_PATIENCE_MS, each.level, timesOf(each), zoneOf(each))),
    ),
  ]);
  return incidents.length;
}
