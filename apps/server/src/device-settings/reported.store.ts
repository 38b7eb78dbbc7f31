import type { CommandContent, CommandSource, CommandState } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { MetricBounds } from '@sonnenwarte/device-protocol/points/births';
import { settingByName } from '@sonnenwarte/device-protocol/points/points';
import { isSameSetting } from '@sonnenwarte/device-protocol/points/setting-values';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { noteChanges } from './noted-changes.store.ts';
import { settingKey, wantedAsBefore } from './wanted-before.store.ts';

type Trx = Transaction<Database>;
type Values = Readonly<Record<string, SettingValue>>;

/** What a device or datalogger has told of its settings. */
export interface Reported {
  readonly subjectId: string;
  readonly values: Values;
  readonly atMs: number;
  readonly by: 'birth' | 'data' | 'readBack';
  /** The command whose answer it is. */
  readonly command?: Author & { readonly wanted: Values };
}

export interface Author {
  readonly id: string;
  readonly source: CommandSource;
  readonly orderedBy: string | null;
}

/** A setting that is another than before. */
export interface SettingChange {
  readonly subjectId: string;
  readonly name: string;
  readonly value: SettingValue;
  readonly from: SettingValue;
  readonly atMs: number;
  readonly author: (Author & { readonly state?: CommandState }) | undefined;
}

/** What was kept of what was told. */
export interface Kept {
  readonly changes: SettingChange[];
  /** Of these something newer was kept before: what they told of it is of then, and was left. */
  readonly overtaken: ReadonlySet<string>;
}

interface KnownRow {
  subject_id: string;
  name: string;
  reported: SettingValue | null;
  reported_ms: number | null;
  desired: SettingValue | null;
  drifted_since: Date | null;
  told_read_only: boolean;
}

/** Names of settings that are kept of a device or datalogger, besides those that the portal knows: more are made up. */
export const MOST_NAMES = 300;
/** What is told again unchanged is written again only so often. */
const TOUCH_AFTER_MS = 24 * 3_600_000;
/** What the database rounds of a time. */
const HALF_MICROSECOND_MS = 0.000_5;
/** Moments of what comes together are put one after the other, and may be a little ahead of the clock. */
const CLOCK_STEP_MS = 1_000;

/**
 * Keeps what devices tell of their settings, where it is new, and every change with who made it. What is told for the first time is no change, and
 * what was told before that which is kept changes nothing: a birth waits for the row of its device while an answer to a command is kept at once.
 */
export async function keepReported(trx: Trx, list: readonly Reported[]): Promise<Kept> {
  const subjects = [...new Set(list.map(({ subjectId }) => subjectId))];
  const overtaken = new Set<string>();
  if (subjects.length === 0) return { changes: [], overtaken };
  const known = await knownSettings(trx, subjects);
  const names = Map.groupBy(known.values(), ({ subject_id }) => subject_id);
  const kept = new Map(subjects.map((id) => [id, names.get(id)?.length ?? 0]));
  const changes: SettingChange[] = [];
  const rows = new Map<
    string,
    { reported: Reported; name: string; value: SettingValue; before: KnownRow | undefined }
  >();
  for (const reported of list) {
    for (const [name, value] of Object.entries(reported.values)) {
      const key = `${reported.subjectId} ${name}`;
      const before = known.get(key);
      if (isOvertaken(before, reported)) {
        overtaken.add(reported.subjectId);
        continue;
      }
      if (before === undefined && !rows.has(key)) {
        const count = kept.get(reported.subjectId) ?? 0;
        if (count >= MOST_NAMES && settingByName(name) === undefined) continue;
        kept.set(reported.subjectId, count + 1);
      }
      const told = rows.get(key)?.value ?? before?.reported ?? null;
      const isSame = told !== null && isSameSetting(name, told, value);
      if (isSame && !rows.has(key) && !isStale(before, reported)) continue;
      rows.set(key, { reported, name, value, before });
      if (told !== null && !isSame) {
        changes.push({
          subjectId: reported.subjectId,
          name,
          value,
          from: told,
          atMs: reported.atMs,
          author: authorOf(reported, name, value),
        });
      }
    }
  }
  const authored = await withAuthors(trx, changes);
  const authors = new Map(authored.map((change) => [settingKey(change), change.author]));
  const asBefore = await wantedAsBefore(
    trx,
    authored.filter((change) => change.author === undefined && isUndisputed(known.get(settingKey(change)))),
  );
  await writeReported(
    trx,
    [...rows].map(([key, { reported, name, value, before }]) => {
      const former = asBefore.has(key) && authors.get(key) === undefined ? (before?.reported ?? null) : null;
      return {
        subject_id: reported.subjectId,
        name,
        reported: value,
        at: reported.atMs,
        by: reported.by,
        former,
        former_since: before?.reported_ms ?? null,
        drifted: driftOf(before, before?.desired ?? former, name, value, reported, authors.get(key) !== undefined),
      };
    }),
  );
  await noteChanges(trx, authored);
  const changed = [...new Set(list.filter(({ by }) => by !== 'birth').map(({ subjectId }) => subjectId))];
  if (changed.length > 0 && rows.size > 0) await forgetTold(trx, changed);
  return { changes: authored, overtaken };
}

/** A time that is still to come was written before the clock was set back, and says nothing. */
function isOvertaken(before: KnownRow | undefined, { atMs }: Reported): boolean {
  const keptMs = before?.reported_ms ?? null;
  return keptMs !== null && keptMs > atMs + HALF_MICROSECOND_MS && keptMs <= Date.now() + CLOCK_STEP_MS;
}

const isStale = (before: KnownRow | undefined, { by, atMs }: Reported): boolean =>
  by === 'readBack' || (by === 'birth' && atMs - (before?.reported_ms ?? 0) > TOUCH_AFTER_MS);

function authorOf({ command }: Reported, name: string, value: SettingValue): Author | undefined {
  const wanted = command?.wanted[name];
  return command !== undefined && wanted !== undefined && isSameSetting(name, wanted, value) ? command : undefined;
}

/** Nobody has ever said here what it is meant to be, though somebody could. */
const isUndisputed = (before: KnownRow | undefined): boolean =>
  before !== undefined && before.desired === null && before.reported !== null && !before.told_read_only;

/** Since when it is another than is meant, by itself; null: it is as is meant, or was made so by somebody. */
function driftOf(
  before: KnownRow | undefined,
  desired: SettingValue | null,
  name: string,
  value: SettingValue,
  { atMs }: Reported,
  isMade: boolean,
): number | null {
  if (desired === null || isSameSetting(name, desired, value)) return null;
  if (before?.drifted_since != null) return before.drifted_since.getTime();
  return isMade ? null : atMs;
}

async function knownSettings(trx: Trx, subjects: readonly string[]): Promise<Map<string, KnownRow>> {
  const rows = await trx
    .selectFrom('device_settings')
    .select(['subject_id', 'name', 'reported', 'desired', 'drifted_since', 'told_read_only'])
    .select(sql<number | null>`(extract(epoch from reported_at) * 1000)::float8`.as('reported_ms'))
    .where(sql<boolean>`subject_id = any(${subjects}::uuid[])`)
    .orderBy('subject_id')
    .orderBy('name')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [`${row.subject_id} ${row.name}`, row as KnownRow]));
}

/** Whose command made it, where an answer to it is still awaited or never came. */
async function withAuthors(trx: Trx, changes: readonly SettingChange[]): Promise<SettingChange[]> {
  const unknown = [...new Set(changes.filter(({ author }) => author === undefined).map(({ subjectId }) => subjectId))];
  if (unknown.length === 0) return [...changes];
  const { rows } = await sql<{
    id: string;
    subject_id: string;
    content: CommandContent;
    source: CommandSource;
    ordered_by: string | null;
    state: CommandState;
  }>`
    select id, coalesce(device_id, logger_id) as subject_id, content, source, ordered_by, state from commands
    where coalesce(device_id, logger_id) = any(${unknown}::uuid[]) and kind = 'write' and sent_at > now() - interval '1 day'
      and state in ('sent', 'acknowledged', 'timedOut')
    order by sent_at desc`.execute(trx);
  return changes.map((change) => {
    if (change.author !== undefined) return change;
    const made = rows.find(({ subject_id, content }) => {
      const wanted = content.values?.[change.name];
      return (
        subject_id === change.subjectId && wanted !== undefined && isSameSetting(change.name, wanted, change.value)
      );
    });
    return made === undefined
      ? change
      : { ...change, author: { id: made.id, source: made.source, orderedBy: made.ordered_by, state: made.state } };
  });
}

interface ReportedRow {
  subject_id: string;
  name: string;
  reported: SettingValue;
  at: number;
  by: Reported['by'];
  /** What it was told to be before and is meant to be from now on, where nobody has said anything else; since when. */
  former: SettingValue | null;
  former_since: number | null;
  drifted: number | null;
}

async function writeReported(trx: Trx, rows: readonly ReportedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into device_settings as s (subject_id, name, reported, reported_at, reported_by, drifted_since, desired, desired_since, desired_source)
    select r.subject_id, r.name, r.reported, to_timestamp(r.at / 1000.0), r.by, to_timestamp(r.drifted / 1000.0),
      r.former, case when r.former is not null then to_timestamp(r.former_since / 1000.0) end, case when r.former is not null then 'told' end
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      subject_id uuid, name text, reported jsonb, at float8, by text, drifted float8, former jsonb, former_since float8)
    order by r.subject_id, r.name
    on conflict (subject_id, name) do update set reported = excluded.reported, reported_at = excluded.reported_at,
      reported_by = excluded.reported_by, drifted_since = excluded.drifted_since,
      desired = coalesce(s.desired, excluded.desired),
      desired_since = case when s.desired is null then excluded.desired_since else s.desired_since end,
      desired_source = case when s.desired is null then excluded.desired_source else s.desired_source end`.execute(trx);
}

/** What the birth of a device lets be written to a setting; without bounds it says nothing of them. */
export interface BoundsOfSetting extends MetricBounds {
  readonly subjectId: string;
  readonly name: string;
}

/** Keeps what births let be written, where that is new. */
export async function keepBounds(trx: Trx, list: readonly BoundsOfSetting[]): Promise<void> {
  if (list.length === 0) return;
  const rows = list.map(({ subjectId, name, low, high, isReadOnly = false }) => ({
    subject_id: subjectId,
    name,
    low,
    high,
    read_only: isReadOnly,
  }));
  await sql`
    update device_settings as s set told_low = r.low, told_high = r.high, told_read_only = r.read_only
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      subject_id uuid, name text, low float8, high float8, read_only boolean)
    where s.subject_id = r.subject_id and s.name = r.name
      and (s.told_low, s.told_high, s.told_read_only) is distinct from (r.low, r.high, r.read_only)`.execute(trx);
}

/** What settings are meant to be from now on. */
export interface Desired extends Author {
  readonly subjectId: string;
  readonly values: Values;
  readonly atMs: number;
}

export async function keepDesired(trx: Trx, list: readonly Desired[]): Promise<void> {
  const rows = list.flatMap(({ subjectId, values, atMs, source, orderedBy }) =>
    Object.entries(values).map(([name, desired]) => ({
      subject_id: subjectId,
      name,
      desired,
      at: atMs,
      by: orderedBy,
      source,
    })),
  );
  if (rows.length === 0) return;
  const { rows: kept } = await sql<{
    subject_id: string;
    name: string;
    desired: SettingValue;
    reported: SettingValue | null;
  }>`
    insert into device_settings (subject_id, name, desired, desired_since, desired_by, desired_source)
    select r.subject_id, r.name, r.desired, to_timestamp(r.at / 1000.0), (select id from accounts where id = r.by), r.source
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      subject_id uuid, name text, desired jsonb, at float8, by uuid, source text)
    order by r.subject_id, r.name
    on conflict (subject_id, name) do update set desired = excluded.desired, desired_since = excluded.desired_since,
      desired_by = excluded.desired_by, desired_source = excluded.desired_source, drifted_since = null,
      own_limit = case when excluded.desired_source = 'ems' then device_settings.own_limit end
    returning subject_id, name, desired, reported`.execute(trx);
  // What it told since, before this could be written.
  const drifted = kept.filter(
    ({ name, desired, reported }) => reported !== null && !isSameSetting(name, desired, reported),
  );
  if (drifted.length > 0) await noteDrift(trx, drifted);
}

async function noteDrift(trx: Trx, list: readonly { subject_id: string; name: string }[]): Promise<void> {
  await sql`
    update device_settings s set drifted_since = greatest(s.reported_at, s.desired_since)
    from json_to_recordset(${JSON.stringify(list.map(({ subject_id, name }) => ({ subject_id, name })))}::json)
      as r (subject_id uuid, name text)
    where s.subject_id = r.subject_id and s.name = r.name`.execute(trx);
}

/** What the last births told, by whom. */
export async function toldHashes(
  db: Kysely<Database>,
  subjects: readonly string[],
): Promise<Map<string, { hash: string; atMs: number }>> {
  const rows = await db
    .selectFrom('device_settings_told')
    .selectAll()
    .where(sql<boolean>`subject_id = any(${subjects}::uuid[])`)
    .execute();
  return new Map(rows.map(({ subject_id, hash, told_at }) => [subject_id, { hash, atMs: told_at.getTime() }]));
}

export async function keepToldHashes(
  trx: Trx,
  told: readonly { subjectId: string; hash: string; atMs: number }[],
): Promise<void> {
  if (told.length === 0) return;
  await sql`
    insert into device_settings_told (subject_id, hash, told_at)
    select r.subject_id, r.hash, to_timestamp(r.at / 1000.0)
    from json_to_recordset(${JSON.stringify(told.map(({ subjectId, hash, atMs }) => ({ subject_id: subjectId, hash, at: atMs })))}::json)
      as r (subject_id uuid, hash text, at float8)
    order by r.subject_id
    on conflict (subject_id) do update set hash = excluded.hash, told_at = excluded.told_at`.execute(trx);
}

/** What they tell at their next birth is compared anew. */
async function forgetTold(trx: Trx, subjects: readonly string[]): Promise<void> {
  await sql`delete from device_settings_told where subject_id = any(${subjects}::uuid[])`.execute(trx);
}
