import { type CommandState, commandStates } from '@sonnenwarte/contract/commands/command';
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { dataloggerIsVisible, deviceIsVisible, type Scope } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** A device or datalogger in scope, by its id. */
export async function subjectInScope(db: Db, scope: Scope, id: string): Promise<{ readonly sn: string } | undefined> {
  const device = await db
    .selectFrom('devices')
    .select('sn')
    .where('id', '=', id)
    .where(deviceIsVisible(scope)(expressionBuilder<Database, 'devices'>()))
    .executeTakeFirst();
  if (device !== undefined) return device;
  return db
    .selectFrom('loggers')
    .select('sn')
    .where('id', '=', id)
    .where(dataloggerIsVisible(scope)(expressionBuilder<Database, 'loggers'>()))
    .executeTakeFirst();
}

const ofSubject = (id: string): Expression<SqlBool> =>
  sql<SqlBool>`coalesce(commands.device_id, commands.logger_id) = ${id}::uuid`;

/** End users see what they ordered themselves. */
const ownOnly = (scope: Scope): Expression<SqlBool> =>
  scope.kind === 'owner' ? sql<SqlBool>`commands.ordered_by = ${scope.accountId}::uuid` : sql<SqlBool>`true`;

/** Waits for its turn where something before it is open, else for its device. */
const isBehind = sql<boolean>`exists (select from commands o
  where coalesce(o.device_id, o.logger_id) = coalesce(commands.device_id, commands.logger_id) and o.state in ('queued', 'sent', 'acknowledged')
    and (o.created_at, o.id) < (commands.created_at, commands.id))`;

const rows = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('commands')
    .innerJoin('loggers', 'loggers.id', 'commands.logger_id')
    .leftJoin('devices', 'devices.id', 'commands.device_id')
    .leftJoin('accounts', 'accounts.id', 'commands.ordered_by')
    .selectAll('commands')
    .select([
      'loggers.sn as logger_sn',
      'devices.sn as device_sn',
      'accounts.username as ordered_by_name',
      isBehind.as('is_behind'),
    ])
    .where(ofSubject(id))
    .where(ownOnly(scope));

export type ShownRow = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

export const commandOfSubject = (db: Db, scope: Scope, id: string, commandID: string): Promise<ShownRow | undefined> =>
  rows(db, scope, id).where('commands.id', '=', commandID).executeTakeFirst();

/** A page of the commands of a subject, and how many there are. */
export async function commandsOfSubject(
  db: Db,
  scope: Scope,
  id: string,
  asked: { readonly states: readonly CommandState[]; readonly pageSize: number; readonly currentPage: number },
): Promise<{ total: number; rows: ShownRow[] }> {
  const states = asked.states.length === 0 ? commandStates : asked.states;
  const [page, total] = await Promise.all([
    rows(db, scope, id)
      .where('commands.state', 'in', [...states])
      .orderBy('commands.created_at', 'desc')
      .orderBy('commands.id', 'desc')
      .limit(asked.pageSize)
      .offset((asked.currentPage - 1) * asked.pageSize)
      .execute(),
    db
      .selectFrom('commands')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where(ofSubject(id))
      .where(ownOnly(scope))
      .where('state', 'in', [...states])
      .executeTakeFirstOrThrow(),
  ]);
  return { total: Number(total.count), rows: page };
}
