import type { CommandContent, CommandKind, CommandSource, CommandState } from '@sonnenwarte/contract/commands/command';
import { openCommandStates } from '@sonnenwarte/contract/commands/command';
import { type Kysely, sql, type Transaction } from 'kysely';
import { LIVE_CHANNEL } from '../changes/live-bus.ts';
import { partsOf } from '../in-slices.ts';
import type { Database } from '../stores/schema.ts';
import type { OpenCommand, Values } from './open-command.ts';
import type { CommandOrder } from './orders.ts';

type Db = Kysely<Database>;

/** Of one notification: its text is limited. */
const KEYS_AT_ONCE = 600;
const ROWS_AT_ONCE = 500;

export interface NewCommand extends CommandOrder {
  readonly id: string;
  readonly createdMs: number;
  readonly expiresMs: number;
}

/** Keeps commands, with what their devices said last of what is to be written. */
export async function insertCommands(trx: Transaction<Database>, commands: readonly NewCommand[]): Promise<void> {
  for (const part of partsOf(commands, ROWS_AT_ONCE)) {
    const rows = part.map(
      ({ id, loggerID, deviceID, kind, content, source, orderedBy, batchID, createdMs, expiresMs }) => ({
        id,
        logger_id: loggerID,
        device_id: deviceID,
        kind,
        content,
        source,
        ordered_by: orderedBy,
        batch_id: batchID ?? null,
        created: createdMs,
        expires: expiresMs,
      }),
    );
    await sql`
      insert into commands (id, logger_id, device_id, kind, content, before, source, ordered_by, batch_id, created_at, expires_at, due_at)
      select r.id, r.logger_id, r.device_id, r.kind, r.content, coalesce((
          select jsonb_object_agg(s.name, s.reported) from device_settings s
          where s.subject_id = coalesce(r.device_id, r.logger_id) and s.reported is not null
            and jsonb_exists(r.content -> 'values', s.name)), '{}'),
        r.source, r.ordered_by, r.batch_id, to_timestamp(r.created / 1000.0), to_timestamp(r.expires / 1000.0), to_timestamp(r.expires / 1000.0)
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (
        id text, logger_id uuid, device_id uuid, kind text, content jsonb, source text, ordered_by uuid, batch_id uuid, created float8, expires float8)`.execute(
      trx,
    );
  }
}

/** Takes back those that wait; answers what was still to be had, with its datalogger. */
export async function cancelCommands(trx: Transaction<Database>, ids: readonly string[]) {
  return trx
    .updateTable('commands')
    .set({ state: 'cancelled', done_at: sql<Date>`now()`, due_at: null })
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .where('state', '=', 'queued')
    .returning(['id', 'logger_id'])
    .execute();
}

/** Tells every process, once the transaction commits, that commands of these dataloggers are others. */
export async function tellOfCommands(trx: Transaction<Database>, loggerIds: readonly string[]): Promise<void> {
  for (const part of partsOf([...new Set(loggerIds)], KEYS_AT_ONCE)) {
    await sql`
      select pg_notify(${LIVE_CHANNEL}, 'c' || string_agg(key::text, ',')) from loggers where id = any(${part}::uuid[])
      having count(*) > 0`.execute(trx);
  }
}

interface CommandRow {
  id: string;
  logger_id: string;
  logger_key: number;
  logger_sn: string;
  device_id: string | null;
  device_key: number | null;
  kind: CommandKind;
  content: CommandContent;
  before: Values;
  read_back: Values | null;
  source: CommandSource;
  ordered_by: string | null;
  batch_id: string | null;
  state: CommandState;
  code: number | null;
  message: string;
  tries: number;
  created_at: Date;
  expires_at: Date;
  sent_at: Date | null;
  acknowledged_at: Date | null;
  done_at: Date | null;
  due_at: Date | null;
}

const selected = (db: Db) =>
  db
    .selectFrom('commands')
    .innerJoin('loggers', 'loggers.id', 'commands.logger_id')
    .leftJoin('devices', 'devices.id', 'commands.device_id')
    .selectAll('commands')
    .select(['loggers.sn as logger_sn', 'loggers.key as logger_key', 'devices.key as device_key']);

const msOf = (at: Date | null): number | null => at?.getTime() ?? null;

const toCommand = (row: CommandRow): OpenCommand => ({
  id: row.id,
  loggerId: row.logger_id,
  loggerKey: row.logger_key,
  loggerSn: row.logger_sn,
  deviceId: row.device_id,
  deviceKey: row.device_key,
  kind: row.kind,
  content: row.content,
  before: row.before,
  source: row.source,
  orderedBy: row.ordered_by,
  batchId: row.batch_id,
  createdMs: row.created_at.getTime(),
  expiresMs: row.expires_at.getTime(),
  state: row.state,
  code: row.code,
  message: row.message,
  readBack: row.read_back,
  tries: row.tries,
  sentMs: msOf(row.sent_at),
  acknowledgedMs: msOf(row.acknowledged_at),
  doneMs: msOf(row.done_at),
  dueMs: msOf(row.due_at),
});

/** All that is open, or that of some dataloggers by their keys. */
export async function openCommands(db: Db, loggerKeys?: readonly number[]): Promise<OpenCommand[]> {
  let query = selected(db).where('commands.state', 'in', [...openCommandStates]);
  if (loggerKeys !== undefined) query = query.where(sql<boolean>`loggers.key = any(${loggerKeys}::int[])`);
  const rows = await query.orderBy('commands.created_at').orderBy('commands.id').execute();
  return rows.map((row) => toCommand(row as CommandRow));
}

/** Commands by their ids whose end may still be told otherwise. */
export async function commandsThatMayTurn(db: Db, ids: readonly string[]): Promise<OpenCommand[]> {
  const rows = await selected(db)
    .select(
      sql<boolean>`exists (select from commands o where coalesce(o.device_id, o.logger_id) = coalesce(commands.device_id, commands.logger_id)
        and o.kind = 'write' and o.id <> commands.id and o.sent_at > commands.sent_at)`.as('is_overtaken'),
    )
    .where(sql<boolean>`commands.id = any(${ids}::text[])`)
    .where(({ or, and, eb }) =>
      or([
        eb('commands.state', '=', 'timedOut'),
        and([eb('commands.state', '=', 'confirmed'), eb('commands.code', 'is', null)]),
      ]),
    )
    .execute();
  return rows.map((row) => ({ ...toCommand(row as CommandRow), isOvertaken: row.is_overtaken }));
}

/** A command as it was, and what it is to be. */
export interface CommandChange {
  readonly command: OpenCommand;
  readonly to: Omit<OpenCommand, 'echo'>;
}

/**
 * Writes steps of commands, each only where it is as it was thought to be; one is sent only where nothing else of its subject is under way. Answers
 * the ids of those that were written.
 */
export async function writeChanges(
  trx: Transaction<Database>,
  changes: readonly CommandChange[],
): Promise<Set<string>> {
  const rows = changes.map(({ command, to }) => ({
    id: to.id,
    was: command.state,
    state: to.state,
    code: to.code,
    message: to.message,
    read_back: to.readBack,
    tries: to.tries,
    sent: to.sentMs,
    acknowledged: to.acknowledgedMs,
    done: to.doneMs,
    due: to.dueMs,
  }));
  const { rows: written } = await sql<{ id: string }>`
    with r as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r (
        id text, was text, state text, code smallint, message text, read_back jsonb, tries smallint, sent float8, acknowledged float8,
        done float8, due float8)),
    -- What somebody takes back at this moment is left to them.
    held as (
      select c.id from commands c join r on r.id = c.id where c.state = r.was and (r.state <> 'sent' or r.was = 'sent' or not exists (
        select from commands o where coalesce(o.device_id, o.logger_id) = coalesce(c.device_id, c.logger_id)
          and o.state in ('sent', 'acknowledged')))
      order by c.id for no key update of c skip locked)
    update commands set state = r.state, code = r.code, message = r.message, read_back = nullif(r.read_back, 'null'), tries = r.tries,
      sent_at = to_timestamp(r.sent / 1000.0), acknowledged_at = to_timestamp(r.acknowledged / 1000.0),
      done_at = to_timestamp(r.done / 1000.0), due_at = to_timestamp(r.due / 1000.0)
    from r join held on held.id = r.id where commands.id = r.id
    returning commands.id`.execute(trx);
  return new Set(written.map(({ id }) => id));
}
