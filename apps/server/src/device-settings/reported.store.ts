import type { CommandContent, CommandSource, CommandState } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { MetricBounds } from '@sonnenwarte/device-protocol/points/births';
import { isSameSetting } from '@sonnenwarte/device-protocol/points/setting-values';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

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

interface Author {
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
  reported_at: Date | null;
  desired: SettingValue | null;
  drifted_since: Date | null;
}

/** What is told again unchanged is written again only so often. */
const TOUCH_AFTER_MS = 24 * 3_600_000;

/**
 * Keeps what devices tell of their settings, where it is new, and every change with who made it. What is told for the first time is no change, and
 * what was told before that which is kept changes nothing: a birth waits for the row of its device while an answer to a command is kept at once.
 */
export async function keepReported(trx: Trx, list: readonly Reported[]): Promise<Kept> {
  const subjects = [...new Set(list.map(({ subjectId }) => subjectId))];
  const overtaken = new Set<string>();
  if (subjects.length === 0) return { changes: [], overtaken };
  const known = await knownSettings(trx, subjects);
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
  const authors = new Map(authored.map((change) => [`${change.subjectId} ${change.name}`, change.author]));
  await writeReported(
    trx,
    [...rows].map(([key, { reported, name, value, before }]) => ({
      subject_id: reported.subjectId,
      name,
      reported: value,
      at: reported.atMs,
      by: reported.by,
      drifted: driftOf(before, name, value, reported, authors.get(key) !== undefined),
    })),
  );
  await insertChanges(trx, authored);
  const changed = [...new Set(list.filter(({ by }) => by !== 'birth').map(({ subjectId }) => subjectId))];
  if (changed.length > 0 && rows.size > 0) await forgetTold(trx, changed);
  return { changes: authored, overtaken };
}

/** A time that is still to come was written before the clock was set back, and says nothing. */
function isOvertaken(before: KnownRow | undefined, { atMs }: Reported): boolean {
  const keptMs = before?.reported_at?.getTime();
  return keptMs !== undefined && keptMs > atMs && keptMs <= Date.now();
}

const isStale = (before: KnownRow | undefined, { by, atMs }: Reported): boolean =>
  by === 'readBack' || (by === 'birth' && atMs - (before?.reported_at?.getTime() ?? 0) > TOUCH_AFTER_MS);

function authorOf({ command }: Reported, name: string, value: SettingValue): Author | undefined {
  const wanted = command?.wanted[name];
  return command !== undefined && wanted !== undefined && isSameSetting(name, wanted, value) ? command : undefined;
}

/** Since when it is another than is meant, by itself; null: it is as is meant, or was made so by somebody. */
function driftOf(
  before: KnownRow | undefined,
  name: string,
  value: SettingValue,
  { atMs }: Reported,
  isMade: boolean,
): number | null {
  const desired = before?.desired ?? null;
  if (desired === null || isSameSetting(name, desired, value)) return null;
  if (before?.drifted_since != null) return before.drifted_since.getTime();
  return isMade ? null : atMs;
}

async function knownSettings(trx: Trx, subjects: readonly string[]): Promise<Map<string, KnownRow>> {
  const rows = await trx
    .selectFrom('device_settings')
    .select(['subject_id', 'name', 'reported', 'reported_at', 'desired', 'drifted_since'])
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
  drifted: number | null;
}

async function writeReported(trx: Trx, rows: readonly ReportedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into device_settings (subject_id, name, reported, reported_at, reported_by, drifted_since)
    select r.subject_id, r.name, r.reported, to_timestamp(r.at / 1000.0), r.by, to_timestamp(r.drifted / 1000.0)
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      subject_id uuid, name text, reported jsonb, at float8, by text, drifted float8)
    order by r.subject_id, r.name
    on conflict (subject_id, name) do update set reported = excluded.reported, reported_at = excluded.reported_at,
      reported_by = excluded.reported_by, drifted_since = excluded.drifted_since`.execute(trx);
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

async function insertChanges(trx: Trx, changes: readonly SettingChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ subjectId, name, from, value, atMs, author }) => ({
    subject_id: subjectId,
    name,
    from_value: from,
    to_value: value,
    at: atMs,
    command_id: author?.id ?? null,
    account_id: author?.orderedBy ?? null,
    source: author?.source ?? 'device',
  }));
  await sql`
    insert into setting_changes (subject_id, name, from_value, to_value, at, command_id, account_id, source)
    select r.subject_id, r.name, r.from_value, r.to_value, to_timestamp(r.at / 1000.0), (select id from commands where id = r.command_id),
      (select id from accounts where id = r.account_id), r.source
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      subject_id uuid, name text, from_value jsonb, to_value jsonb, at float8, command_id text, account_id uuid, source text)`.execute(
    trx,
  );
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
  await sql`
    insert into device_settings (subject_id, name, desired, desired_since, desired_by, desired_source)
    select r.subject_id, r.name, r.desired, to_timestamp(r.at / 1000.0), (select id from accounts where id = r.by), r.source
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      subject_id uuid, name text, desired jsonb, at float8, by uuid, source text)
    order by r.subject_id, r.name
    on conflict (subject_id, name) do update set desired = excluded.desired, desired_since = excluded.desired_since,
      desired_by = excluded.desired_by, desired_source = excluded.desired_source, drifted_since = null,
      own_limit = case when excluded.desired_source = 'ems' then device_settings.own_limit end`.execute(trx);
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
