import { randomUUID } from 'node:crypto';
import { RETURNS_WITHIN_MS } from '@sonnenwarte/contract/incidents/incident-moves';
import type { Kysely, Transaction } from 'kysely';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { causesOf, isOfRegion, regionOf } from './explains.ts';
import {
  addEntries,
  addIncidents,
  closeIncidents,
  countChildren,
  type GoingOnRow,
  goingOn,
  holdFolding,
  type MadeIncident,
  noteFolded,
  type SummedIncident,
  standingAt,
  summedIncidents,
  type ToldSpell,
  tellChanged,
  unfoldedSpells,
  type WrittenEntry,
  writeCauses,
  writeIncidents,
} from './fold.store.ts';
import { foldSpells, isDone, stateAfter } from './fold.ts';
import { gatherRegions } from './regions.ts';

type Tx = Transaction<Database>;

/** Spells that are folded at a time. */
const MOST_AT_ONCE = 1_000;
/** Of an incident that flaps, so many returns are entered; the others are counted. */
const MOST_ENTERED_RETURNS = 20;

const keyOf = ({ subject, code }: { subject: string; code: number }): string => `${subject} ${code}`;

/**
 * Folds what was told since into incidents, all or nothing; answers how many spells there were, 0 also where another process is at it. It is the same
 * however often it is done, and in whatever parts.
 */
export const foldTold = (db: Kysely<Database>, nowMs: number): Promise<number> =>
  inTransaction(db, async (tx) => {
    if (!(await holdFolding(tx))) return 0;
    const told = await unfoldedSpells(tx, MOST_AT_ONCE);
    if (told.length > 0) await fold(tx, told, nowMs);
    return told.length;
  });

async function fold(tx: Tx, told: readonly ToldSpell[], nowMs: number): Promise<void> {
  // What is told of nothing that has a plant, or is deleted, is nobody's to see: it comes again when that changes.
  const groups = Object.groupBy(
    told.filter(({ site_id, is_gone }) => site_id !== null && !is_gone),
    keyOf,
  );
  const going = new Map(
    (
      await goingOn(
        tx,
        told.map(({ subject, code }) => ({ subject, code })),
      )
    ).map((row) => [keyOf(row), row]),
  );
  const { made, over, incidentOf, touched } = assign(groups, going, nowMs);
  // Each spell is counted when it comes to its incident, and not when it is told again.
  const added = new Map<string, number>();
  for (const { id, incident_id } of told) {
    const incident = incidentOf.get(id);
    if (incident !== undefined && incident !== incident_id) added.set(incident, (added.get(incident) ?? 0) + 1);
  }
  await closeIncidents(tx, over, new Date(nowMs));
  await addIncidents(tx, made);
  await noteFolded(
    tx,
    told.map(({ id }) => ({ id, incident: incidentOf.get(id) ?? null })),
  );
  const summed = await summedIncidents(tx, [...touched]);
  const madeNow = new Set(made.map(({ id }) => id));
  const counted = summed.map((row) => ({
    ...row,
    times: (madeNow.has(row.id) ? 0 : row.was_times) + (added.get(row.id) ?? 0),
  }));
  await settle(tx, counted, madeNow, nowMs);
  await explain(tx, summed);
  if (summed.length > 0) await tellChanged(tx);
}

function assign(
  groups: Partial<Record<string, ToldSpell[]>>,
  going: ReadonlyMap<string, GoingOnRow>,
  nowMs: number,
): { made: MadeIncident[]; over: string[]; incidentOf: Map<string, string>; touched: Set<string> } {
  const made: MadeIncident[] = [];
  const over: string[] = [];
  const incidentOf = new Map<string, string>();
  const touched = new Set<string>();
  for (const [key, spells = []] of Object.entries(groups)) {
    const current = going.get(key);
    const first = spells[0] as ToldSpell;
    const { joined, isOver, begun } = foldSpells(
      current && { id: current.id, sinceMs: current.since.getTime(), untilMs: current.until?.getTime() ?? null },
      spells.map(({ id, since, until, incident_id }) => ({
        id,
        sinceMs: since.getTime(),
        untilMs: until?.getTime() ?? null,
        incidentId: incident_id,
      })),
    );
    if (current !== undefined) {
      for (const id of joined) incidentOf.set(id, current.id);
      if (joined.length > 0) touched.add(current.id);
      if (isOver) over.push(current.id);
    }
    const isTaken = current !== undefined && !isOver;
    begun.forEach(({ spellIds, sinceMs, untilMs }, at) => {
      const id = randomUUID();
      for (const spell of spellIds) incidentOf.set(spell, id);
      touched.add(id);
      const isLast = at === begun.length - 1 && !isTaken;
      const mayReturn = isLast && (untilMs === null || !isDone(untilMs, nowMs));
      made.push({
        id,
        code: first.code,
        subject: first.subject,
        site_id: first.site_id,
        device_id: first.device_id,
        logger_id: first.logger_id,
        region: isOfRegion(first.code) ? regionOf(first.country ?? '', first.postcode ?? '') : '',
        organisation_id: null,
        since: new Date(sinceMs),
        until: untilMs === null && mayReturn ? null : new Date(untilMs ?? nowMs),
        closed_at: mayReturn ? null : new Date((untilMs ?? nowMs) + RETURNS_WITHIN_MS),
      });
    });
  }
  return { made, over, incidentOf, touched };
}

/** Brings incidents to where their spells say that they stand, and enters what has happened. */
export async function settle(
  tx: Tx,
  summed: readonly SummedIncident[],
  isMade: ReadonlySet<string>,
  nowMs: number,
): Promise<void> {
  const entries: WrittenEntry[] = [];
  const written = summed.map((row) => {
    const { id, level, since, last_since, until, times, extra } = row;
    const state = row.state === 'closed' ? 'closed' : stateAfter(row.state, row.is_known, row.stands);
    const isNew = isMade.has(id);
    if (isNew) entries.push({ incident_id: id, at: since, kind: 'raised' });
    const isEntered = times <= MOST_ENTERED_RETURNS;
    if (!isNew && row.state === 'cleared' && state !== 'cleared' && isEntered) {
      entries.push({ incident_id: id, at: last_since, kind: 'returned' });
    }
    const isOver = !row.stands;
    if (isOver && isEntered && (isNew || row.state === 'open' || row.state === 'acknowledged')) {
      entries.push({ incident_id: id, at: until, kind: 'cleared' });
    }
    if (isNew && state === 'closed') {
      entries.push({
        incident_id: id,
        at: new Date(Math.min(nowMs, until.getTime() + RETURNS_WITHIN_MS)),
        kind: 'closed',
      });
    }
    return { id, state, level, since, last_since, until: isOver || state === 'closed' ? until : null, times, extra };
  });
  await writeIncidents(tx, written);
  await addEntries(tx, entries);
}

/** Works out anew what explains what, at the plants of some incidents and in their regions. */
async function explain(tx: Tx, summed: readonly SummedIncident[]): Promise<void> {
  const siteIds = [...new Set(summed.flatMap(({ site_id }) => site_id ?? []))];
  const standing = await standingAt(tx, siteIds);
  const bySite = Object.groupBy(standing, ({ site_id }) => site_id);
  const changed: { id: string; cause: string | null; organisation: string | null }[] = [];
  const parents = new Set<string>();
  for (const rows of Object.values(bySite)) {
    const at = (rows ?? []).map((row) => ({
      id: row.id,
      code: row.code,
      deviceId: row.device_id,
      loggerId: row.logger_id,
      sinceMs: row.since.getTime(),
    }));
    const causes = causesOf(at);
    for (const row of rows ?? []) {
      const cause = causes.get(row.id) ?? null;
      // What several plants have together is worked out below.
      if (cause === row.cause_id || (cause === null && row.is_of_region)) continue;
      for (const parent of [cause, row.cause_id]) if (parent !== null) parents.add(parent);
      changed.push({ id: row.id, cause, organisation: null });
    }
  }
  await writeCauses(tx, changed);
  for (const parent of await gatherRegions(tx, summed)) parents.add(parent);
  await countChildren(tx, [...parents]);
}
