import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { entryKinds, type incidentEndpoints } from '@sonnenwarte/contract/incidents/incidents';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { localDay } from '@sonnenwarte/energy/calendar';
import type { Kysely } from 'kysely';
import { found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { causesFound, entriesOf, explaining, lossesByDay, sameBefore, spellsOf, toldOf } from './detail.store.ts';
import { evidenceOf, shownEvidence } from './evidence-of.ts';
import { causeOrNull, readsPeople, toIncidentRow } from './incidents.service.ts';
import { type IncidentFound, incidentsById } from './incidents.store.ts';

type Detail = Result<(typeof incidentEndpoints)['detail']>;

const MOST_ENTRIES = 50;
const MOST_SPELLS = 50;
const MOST_DAYS = 400;
const MOST_BEFORE = 5;
const MOST_CAUSES = 6;
/** Whole days from which a year is told. */
const MOST_YEAR_DAYS = 7;
const DAY_MS = 86_400_000;
const DAYS_OF_YEAR = 365;

/** All that is known of an incident. */
export async function incidentDetail(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { id }: Parsed<(typeof incidentEndpoints)['detail']>,
  context: CallContext,
): Promise<Detail> {
  const [row] = await incidentsById(db, context.scope, [id]);
  const incident = found(row, 'incidentNotFound');
  const now = nowMs();
  const reads = readsPeople(context.scope);
  const [entries, spells, losses, causes, cause, before] = await Promise.all([
    entriesOf(db, id, MOST_ENTRIES, reads),
    spellsOf(db, id, MOST_SPELLS),
    lossesByDay(db, id, MOST_DAYS),
    causesFound(db, incident.code, MOST_CAUSES),
    incident.cause_id === null ? undefined : explaining(db, context.scope, incident.cause_id),
    sameBefore(db, incident, MOST_BEFORE),
  ]);
  return {
    incident: toIncidentRow(incident, context),
    entries: entries.map((entry) => ({
      id: String(entry.id),
      kind: entryKinds.find((kind) => kind === entry.kind) ?? 'commented',
      atMs: entry.at.getTime(),
      by: reads ? entry.actor : '',
      text: reads ? entry.text : '',
      untilMs: entry.until?.getTime() ?? null,
      cause: causeOrNull(entry.cause),
    })),
    moreEntries: Math.max(0, (entries[0]?.total ?? 0) - entries.length),
    spells: spells.map(({ since, until }) => ({ sinceMs: since.getTime(), untilMs: until?.getTime() ?? null })),
    losses: losses.map(({ day, wh, money }) => ({ day, wh, money: reads ? money : null })).toReversed(),
    ifNothing:
      incident.until === null
        ? ifNothing(reads ? losses : losses.map((each) => ({ ...each, money: null })), {
            began: localDay(incident.since.getTime(), incident.time_zone ?? 'UTC'),
            today: localDay(now, incident.time_zone ?? 'UTC'),
          })
        : null,
    found: causes.flatMap(({ cause: name, count }) => {
      const known = causeOrNull(name);
      return known === null ? [] : [{ cause: known, incidents: count }];
    }),
    explainedBy:
      cause === undefined ? null : { incidentID: cause.id, code: cause.code, sinceMs: cause.since.getTime() },
    before: before.map(({ id: incidentID, since, until }) => ({
      incidentID,
      sinceMs: since.getTime(),
      untilMs: until?.getTime() ?? null,
    })),
    evidence: await evidenceIn(db, incident, now),
    mutedBy: reads ? incident.muted_by : '',
    muteReason: reads ? incident.mute_reason : '',
  };
}

/** What a year comes to if each of its days is as the last whole ones were, on which it stood from midnight to midnight; `losses` newest first. */
export function ifNothing(
  losses: readonly { day: string; wh: number; money: string | null }[],
  { began, today }: { readonly began: string; readonly today: string },
): Detail['ifNothing'] {
  const whole = losses.filter(({ day }) => day > began && day < today).slice(0, MOST_YEAR_DAYS);
  if (whole.length === 0) return null;
  const perYear = (sum: number) => (sum / whole.length) * DAYS_OF_YEAR;
  const isPriced = whole.every(({ money }) => money !== null);
  return {
    wh: perYear(whole.reduce((sum, { wh }) => sum + wh, 0)),
    money: isPriced ? perYear(whole.reduce((sum, { money }) => sum + Number(money), 0)).toFixed(6) : null,
    days: whole.length,
  };
}

/** What the device has told of what shows it; none where it told nothing of it. */
async function evidenceIn(
  db: Kysely<Database>,
  { device_id, kind, code, since, time_zone }: IncidentFound,
  nowMs: number,
): Promise<Detail['evidence']> {
  if (device_id === null || kind === null) return null;
  const names = evidenceOf(code, kind).filter((name) => pointByName(kind, name) !== undefined);
  const told = await toldOf(db, device_id, names);
  const variables = shownEvidence(names.filter((name) => told.has(name)));
  if (variables.length === 0) return null;
  const zone = time_zone ?? 'UTC';
  return {
    deviceID: device_id,
    kind,
    variables: [...variables],
    day: localDay(since.getTime(), zone),
    dayBefore: localDay(since.getTime() - DAY_MS, zone),
    today: localDay(nowMs, zone),
  };
}
