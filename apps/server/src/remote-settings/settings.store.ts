import type { CommandContent, CommandKind, CommandState } from '@sonnenwarte/contract/commands/command';
import { openCommandStates } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import { onPage, totalOf } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** What the store has of a setting: what the device told, and what it is meant to be. */
export type StoredSetting = Selectable<Database['device_settings']> & { desired_by_name: string | null };

const nameOf = sql<string | null>`coalesce(nullif(accounts.name, ''), accounts.username)`;

/** Settings of subjects that the caller may see, by subject and name. */
export async function storedSettings(
  db: Db,
  ids: readonly string[],
  names?: readonly string[],
): Promise<Map<string, Map<string, StoredSetting>>> {
  let query = db
    .selectFrom('device_settings')
    .leftJoin('accounts', 'accounts.id', 'device_settings.desired_by')
    .selectAll('device_settings')
    .select(nameOf.as('desired_by_name'))
    .where(sql<SqlBool>`subject_id = any(${ids}::uuid[])`);
  if (names !== undefined) query = query.where(sql<SqlBool>`device_settings.name = any(${names}::text[])`);
  const found = new Map<string, Map<string, StoredSetting>>(ids.map((id) => [id, new Map()]));
  for (const row of await query.execute()) found.get(row.subject_id)?.set(row.name, row);
  return found;
}

/** Which of some devices have told any of their settings. */
export async function haveTold(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('device_settings')
    .select('subject_id')
    .distinct()
    .where(sql<SqlBool>`subject_id = any(${ids}::uuid[])`)
    .where('reported', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.subject_id));
}

/** Commands of a device or datalogger that are looked through for what happened to a setting. */
const LOOKED_THROUGH = 200;
/** That a view shows. */
const MOST_SHOWN = 50;

export interface CommandRow {
  id: string;
  kind: CommandKind;
  content: CommandContent;
  source: Selectable<Database['commands']>['source'];
  ordered_by: string | null;
  by: string | null;
  state: CommandState;
  code: number | null;
  message: string;
  before: Record<string, SettingValue>;
  read_back: Record<string, SettingValue> | null;
  tries: number;
  created_at: Date;
  expires_at: Date;
  sent_at: Date | null;
  acknowledged_at: Date | null;
  done_at: Date | null;
}

const ofSubject = (db: Db, id: string) =>
  db
    .selectFrom('commands')
    .leftJoin('accounts', 'accounts.id', 'commands.ordered_by')
    .where(sql<SqlBool>`coalesce(commands.device_id, commands.logger_id) = ${id}`)
    .select([
      'commands.id',
      'commands.kind',
      'commands.content',
      'commands.source',
      'commands.ordered_by',
      nameOf.as('by'),
      'commands.state',
      'commands.code',
      'commands.message',
      'commands.before',
      'commands.read_back',
      'commands.tries',
      'commands.created_at',
      'commands.expires_at',
      'commands.sent_at',
      'commands.acknowledged_at',
      'commands.done_at',
    ])
    .orderBy('commands.created_at', 'desc')
    .orderBy('commands.id', 'desc');

/** Newest commands of a subject that the caller may see, the newest first. */
export const newestCommands = (db: Db, id: string): Promise<CommandRow[]> =>
  ofSubject(db, id).limit(LOOKED_THROUGH).execute();

/** Open commands of a subject, the newest first. */
export const openCommands = (db: Db, id: string): Promise<CommandRow[]> =>
  ofSubject(db, id).where('commands.state', 'in', openCommandStates).limit(LOOKED_THROUGH).execute();

/** What the writes among open commands, the newest first, will leave by name. */
export function leftBy(open: readonly CommandRow[]): Map<string, SettingValue> {
  const left = new Map<string, SettingValue>();
  for (const { kind, content } of open.toReversed()) {
    if (kind !== 'write') continue;
    for (const [name, value] of Object.entries(content.values ?? {})) left.set(name, value);
  }
  return left;
}

/** Writes to subjects that were not sent yet and hold nothing but some settings; those of one account, or by hand of anybody. */
export async function waitingWrites(
  db: Db,
  ids: readonly string[],
  names: readonly string[],
  orderedBy?: string,
): Promise<string[]> {
  let query = db
    .selectFrom('commands')
    .select('id')
    .where(sql<SqlBool>`coalesce(device_id, logger_id) = any(${ids}::uuid[])`)
    .where('kind', '=', 'write')
    .where('state', '=', 'queued')
    .where('source', '=', 'hand')
    .where(sql<SqlBool>`(content -> 'values') - ${names}::text[] = '{}'::jsonb`);
  if (orderedBy !== undefined) query = query.where('ordered_by', '=', orderedBy);
  return (await query.execute()).map(({ id }) => id);
}

/** Those of the newest commands that are open, or were until lately. */
export const shownCommands = (rows: readonly CommandRow[], sinceMs: number): CommandRow[] =>
  rows
    .filter(({ state, done_at }) => isOpen(state) || (done_at !== null && done_at.getTime() >= sinceMs))
    .slice(0, MOST_SHOWN);

const isOpen = (state: CommandState): boolean => openCommandStates.some((each) => each === state);

/** Whether a command is of the subject. */
export const commandOfSubject = (db: Db, id: string, commandId: string) =>
  db
    .selectFrom('commands')
    .select(['id', 'kind', 'content', 'state'])
    .where('id', '=', commandId)
    .where(sql<SqlBool>`coalesce(device_id, logger_id) = ${id}`)
    .executeTakeFirst();

/** Which of these devices have an open command that writes one of the names. */
export async function beingWritten(db: Db, ids: readonly string[], names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('commands')
    .select(sql<string>`coalesce(device_id, logger_id)`.as('subject'))
    .where('state', 'in', openCommandStates)
    .where('kind', '=', 'write')
    .where(sql<SqlBool>`coalesce(device_id, logger_id) = any(${ids}::uuid[])`)
    .where(sql<SqlBool>`content -> 'values' ?| ${names}::text[]`)
    .execute();
  return new Set(rows.map(({ subject }) => subject));
}

interface DesiredBy {
  readonly accountId: string | null;
  readonly source: Database['device_settings']['desired_source'];
  readonly at: Date;
}

/** What the device has is what it is meant to have from now on. */
export const takeAsDesired = (tx: Transaction<Database>, id: string, names: readonly string[], by: DesiredBy) =>
  tx
    .updateTable('device_settings')
    .set({
      desired: sql`reported`,
      desired_since: by.at,
      desired_by: by.accountId,
      desired_source: by.source,
      drifted_since: null,
      own_limit: null,
    })
    .where('subject_id', '=', id)
    .where(sql<SqlBool>`name = any(${names}::text[])`)
    .where('reported', 'is not', null)
    .execute();

const changes = (db: Db, id: string) =>
  db
    .selectFrom('setting_changes')
    .leftJoin('accounts', 'accounts.id', 'setting_changes.account_id')
    .where('subject_id', '=', id);

/** A page of the changes of a subject, or of one of its settings, the newest first. */
export async function changesOf(
  db: Db,
  id: string,
  name: string | undefined,
  page: { readonly pageSize: 10 | 20 | 50; readonly currentPage: number },
) {
  const matching = () => {
    const all = changes(db, id);
    return name === undefined ? all : all.where('setting_changes.name', '=', name);
  };
  const [rows, total] = await Promise.all([
    matching()
      .selectAll('setting_changes')
      .select(nameOf.as('by'))
      .orderBy('setting_changes.at', 'desc')
      .orderBy('setting_changes.id', 'desc')
      .$call(onPage(page))
      .execute(),
    totalOf(matching()),
  ]);
  return { rows, total };
}

/** One change of a subject. */
export const changeOf = (db: Db, id: string, changeId: number) =>
  changes(db, id).where('setting_changes.id', '=', changeId).selectAll('setting_changes').executeTakeFirst();
