import { openCommandStates } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { isLevel } from '@sonnenwarte/contract/levels';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import { type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { type Scope, visibleOrganisations } from '../access/scope.ts';
import { deviceStateAt } from '../current-state/current-state.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import { partsOf } from '../in-slices.ts';
import { onPage, totalOf } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { away, counted, counts, type GroupCounts, refusals, taken } from './group-counts.store.ts';

type Db = Kysely<Database>;
type Trx = Transaction<Database>;
type Values = Record<string, SettingValue>;
type GroupState = Selectable<Database['setting_groups']>['state'];
type GroupDeviceState = Selectable<Database['setting_group_devices']>['state'];

const ROWS_AT_ONCE = 500;

export interface NewGroup {
  readonly organisationId: string;
  readonly kind: AttachedKind;
  readonly name: string;
  readonly content: Values;
  readonly reverts: string | null;
  readonly stopAfter: number | null;
  readonly orderedBy: string;
  readonly devices: readonly { readonly id: string; readonly content: Values }[];
}

export async function insertGroup(tx: Trx, group: NewGroup): Promise<string> {
  const { id } = await tx
    .insertInto('setting_groups')
    .values({
      organisation_id: group.organisationId,
      kind: group.kind,
      name: group.name,
      content: JSON.stringify(group.content),
      reverts: group.reverts,
      stop_after: group.stopAfter,
      ordered_by: group.orderedBy,
      done_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  let place = 0;
  for (const part of partsOf(group.devices, ROWS_AT_ONCE)) {
    const rows = part.map((device) => ({ id: device.id, content: device.content, place: place++ }));
    await sql`
      insert into setting_group_devices (group_id, device_id, place, content)
      select ${id}::uuid, r.id, r.place, r.content
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, place int, content jsonb)`.execute(tx);
  }
  return id;
}

/** Lets groups of an account begin one after another. */
export const holdGroupsOf = (tx: Trx, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`setting groups ${accountId}`}, 0))`.execute(tx);

/** A group of the same account that is not done and writes the same to the same devices. */
export async function openGroupLike(tx: Trx, group: NewGroup): Promise<string | undefined> {
  const devices = JSON.stringify(group.devices.map(({ id, content }) => ({ id, content })));
  const found = await tx
    .selectFrom('setting_groups as g')
    .select('g.id')
    .where('g.ordered_by', '=', group.orderedBy)
    .where('g.done_at', 'is', null)
    .where(sql<SqlBool>`g.content = ${JSON.stringify(group.content)}::jsonb`)
    .where(sql<SqlBool>`g.reverts is not distinct from ${group.reverts}::uuid`)
    .where(
      sql<SqlBool>`not exists (
        select from (select device_id, content from setting_group_devices where group_id = g.id) as own
          full join json_to_recordset(${devices}::json) as r (id uuid, content jsonb) on r.id = own.device_id
        where own.content is distinct from r.content)`,
    )
    .orderBy('g.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}

export interface StoredGroup {
  id: string;
  organisation_id: string;
  kind: AttachedKind;
  name: string;
  content: Values;
  reverts: string | null;
  stop_after: number | null;
  forgiven: number;
  state: GroupState;
  ordered_by: string | null;
  created_at: Date;
  done_at: Date | null;
}

const inScope = (db: Db, scope: Scope) =>
  db
    .selectFrom('setting_groups')
    .innerJoin('organisations', 'organisations.id', 'setting_groups.organisation_id')
    .leftJoin('accounts', 'accounts.id', 'setting_groups.ordered_by')
    .where(visibleOrganisations(scope));

const rows = (db: Db, scope: Scope, nowMs: number) =>
  inScope(db, scope)
    .innerJoinLateral(counts(db).as('counted'), (join) => join.onTrue())
    .selectAll('setting_groups')
    .select(sql<string | null>`coalesce(nullif(accounts.name, ''), accounts.username)`.as('by'))
    .select(away(nowMs).as('away'))
    .select(counted);

export type GroupRowStored = StoredGroup & GroupCounts & { by: string | null; away: number };

/** A group of an organisation in scope. */
export const groupOf = (db: Db, scope: Scope, id: string, nowMs: number): Promise<GroupRowStored | undefined> =>
  rows(db, scope, nowMs).where('setting_groups.id', '=', id).executeTakeFirst();

/** A page of the groups of organisations in scope, the newest first. */
export async function groupPage(
  db: Db,
  scope: Scope,
  page: { pageSize: 10 | 20 | 50; currentPage: number },
  nowMs: number,
) {
  const [found, total] = await Promise.all([
    rows(db, scope, nowMs)
      .orderBy('setting_groups.created_at', 'desc')
      .orderBy('setting_groups.id')
      .$call(onPage(page))
      .execute(),
    totalOf(inScope(db, scope)),
  ]);
  return { rows: found, total };
}

/** Devices of a group that are in scope, what is not done first; of each its command as it stands now. */
export const devicesOfGroup = (db: Db, scope: Scope, id: string, nowMs: number) =>
  db
    .selectFrom('setting_group_devices')
    .innerJoin('devices', 'devices.id', 'setting_group_devices.device_id')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .leftJoin('sites', 'sites.id', 'devices.site_id')
    .leftJoin('commands', 'commands.id', 'setting_group_devices.command_id')
    .where(visibleDevices(scope))
    .where('setting_group_devices.group_id', '=', id)
    .select([
      'setting_group_devices.device_id',
      'setting_group_devices.content',
      'setting_group_devices.before',
      'setting_group_devices.command_id',
      'setting_group_devices.state',
      'setting_group_devices.code',
      'setting_group_devices.message',
      'setting_group_devices.started_at',
      'setting_group_devices.done_at',
      'devices.sn',
      'devices.model',
      sql<string>`coalesce(sites.name, '')`.as('siteName'),
      'commands.state as commandState',
      sql<Date | null>`case when setting_group_devices.state = 'open' and commands.state = 'queued'
        and ${deviceStateAt(nowMs)} = 'offline' then commands.expires_at end`.as('awaitedUntil'),
    ])
    .orderBy(
      sql`array_position(array['refused', 'differs', 'timedOut', 'expired', 'open', 'waiting', 'cancelled', 'confirmed'], setting_group_devices.state)`,
    )
    .orderBy('setting_group_devices.place')
    .execute();

/** Holds a group until the transaction ends. */
export const holdGroup = (tx: Trx, id: string): Promise<StoredGroup | undefined> =>
  tx.selectFrom('setting_groups').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export const countsOf = (db: Db, id: string): Promise<GroupCounts> =>
  db
    .selectFrom('setting_groups')
    .innerJoinLateral(counts(db).as('counted'), (join) => join.onTrue())
    .where('setting_groups.id', '=', id)
    .select(counted)
    .executeTakeFirstOrThrow();

/** Takes over how commands of a group have ended, also where that turned out otherwise since; what is no more is as if it was not answered. */
export async function settleDevices(tx: Trx, id: string): Promise<void> {
  await sql`
    update setting_group_devices d set state = c.state, code = c.code, message = c.message, was_sent = c.sent_at is not null, done_at = c.done_at
    from commands c
    where d.group_id = ${id} and c.id = d.command_id and not (c.state = any(${[...openCommandStates]}::text[])) and d.state is distinct from c.state`.execute(
    tx,
  );
  await tx
    .updateTable('setting_group_devices')
    .set({ state: 'timedOut', done_at: sql<Date>`now()` })
    .where('group_id', '=', id)
    .where('state', '=', 'open')
    .where('command_id', 'is', null)
    .execute();
}

/** Whether somebody else writes one of the settings to the device at this moment. */
const isWritten = sql<SqlBool>`exists (
  select from commands as c
  where coalesce(c.device_id, c.logger_id) = setting_group_devices.device_id and c.kind = 'write' and c.state = any(${[...openCommandStates]}::text[])
    and c.batch_id is distinct from setting_group_devices.group_id
    and exists (select from jsonb_object_keys(setting_group_devices.content) as k where c.content -> 'values' ? k))`;

const waiting = (tx: Trx, id: string) =>
  tx.selectFrom('setting_group_devices').where('group_id', '=', id).where('state', '=', 'waiting').orderBy('place');

/** The next devices whose turn it is, but for those to which somebody else writes the same settings. */
export const waitingDevices = (tx: Trx, id: string, most: number) =>
  waiting(tx, id).select(['device_id', 'content']).where(sql<SqlBool>`not ${isWritten}`).limit(most).execute();

/** Devices that wait until somebody else has written to them. */
export async function devicesOfOthers(tx: Trx, id: string): Promise<Set<string>> {
  const rows = await waiting(tx, id).select('device_id').where(isWritten).execute();
  return new Set(rows.map(({ device_id }) => device_id));
}

export interface DeviceStep {
  readonly id: string;
  readonly state: GroupDeviceState;
  readonly before?: Values;
  readonly commandId?: string;
  readonly code?: number;
  readonly message?: string;
}

/** What became of devices of a wave. */
export async function putSteps(tx: Trx, groupId: string, steps: readonly DeviceStep[], at: Date): Promise<void> {
  if (steps.length === 0) return;
  const list = steps.map(({ id, state, before = {}, commandId = null, code = null, message = '' }) => ({
    id,
    state,
    before,
    command: commandId,
    code,
    message,
  }));
  await sql`
    update setting_group_devices d set state = r.state, before = r.before, command_id = r.command, code = r.code, message = r.message,
      started_at = ${at}, done_at = case when r.state = 'open' then null else ${at}::timestamptz end
    from json_to_recordset(${JSON.stringify(list)}::json) as r (id uuid, state text, before jsonb, command text, code smallint, message text)
    where d.group_id = ${groupId} and d.device_id = r.id`.execute(tx);
}

export const setGroupState = (tx: Trx, id: string, state: GroupState, forgiven?: number) =>
  tx
    .updateTable('setting_groups')
    .set({ state, ...(forgiven !== undefined && { forgiven }) })
    .where('id', '=', id)
    .execute();

export const endGroup = (tx: Trx, id: string, state: GroupState, at: Date) =>
  tx.updateTable('setting_groups').set({ state, done_at: at }).where('id', '=', id).execute();

/** Nothing more is given to devices of a group; answers the commands that are still open. */
export async function cancelWaiting(tx: Trx, id: string, at: Date): Promise<string[]> {
  await tx
    .updateTable('setting_group_devices')
    .set({ state: 'cancelled', done_at: at })
    .where('group_id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
  const open = await tx
    .selectFrom('setting_group_devices')
    .select('command_id')
    .where('group_id', '=', id)
    .where('state', '=', 'open')
    .execute();
  return open.flatMap(({ command_id }) => command_id ?? []);
}

/** Groups that are not done, but for those that wait for somebody, for the server itself; by their ids, from one on. */
const unfinished = (db: Db, after: string, most: number) =>
  db
    .selectFrom('setting_groups')
    .select('id')
    .where('done_at', 'is', null)
    .where('id', '>', after)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('state', 'in', ['running', 'cancelled']),
        exists(
          selectFrom('setting_group_devices')
            .select('device_id')
            .whereRef('group_id', '=', 'setting_groups.id')
            .where('setting_group_devices.state', '=', 'open'),
        ),
      ]),
    )
    .orderBy('id')
    .limit(most);

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Groups of which something is to be sent or followed. */
export const unfinishedGroups = async (db: Db, after: string, most: number): Promise<string[]> =>
  idsOf(await unfinished(db, after, most).execute());

/**
 * Those of them at which something is to be done: a command has ended that is not taken over yet, more devices may be told something, or none is left. Of a
 * group that waits for its devices those are looked at to which something is said.
 */
export const groupsToAdvance = async (db: Db, after: string, most: number, underWay: number): Promise<string[]> =>
  idsOf(
    await unfinished(db, after, most)
      .where(
        sql<SqlBool>`case
          when exists (
            select from setting_group_devices d left join commands c on c.id = d.command_id
            where d.group_id = setting_groups.id and d.state = 'open'
              and (c.id is null or not (c.state = any(${[...openCommandStates]}::text[])))) then true
          when exists (select from setting_group_devices d where d.group_id = setting_groups.id and d.state = 'waiting')
            then setting_groups.state = 'running' and (
              select count(*) filter (where d.state = 'open') < least(${underWay}::int, greatest(
                setting_groups.stop_after + setting_groups.forgiven - ${refusals}, ${taken},
                case when setting_groups.stop_after is null then ${underWay}::int end))
              from setting_group_devices d where d.group_id = setting_groups.id)
          else not exists (select from setting_group_devices d where d.group_id = setting_groups.id and d.state = 'open') end`,
      )
      .execute(),
  );

/** Which of some batches of commands are groups. */
export const groupsAmong = async (db: Db, ids: readonly string[]): Promise<string[]> =>
  (await db.selectFrom('setting_groups').select('id').where(sql<boolean>`id = any(${ids}::uuid[])`).execute()).map(
    ({ id }) => id,
  );

/** Who ordered a group, as far as the account may still do anything: what it reaches is what it reaches now. */
export async function orderingActor(db: Db, accountId: string): Promise<Actor | undefined> {
  const account = await db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .select([
      'accounts.id',
      'accounts.username',
      'accounts.level',
      'accounts.organisation_id',
      sql<string[]>`organisations.path::text[]`.as('path'),
    ])
    .where('accounts.id', '=', accountId)
    .where('accounts.disabled_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .where('organisations.disabled_at', 'is', null)
    .where('organisations.deleted_at', 'is', null)
    .executeTakeFirst();
  if (account === undefined || !isLevel(account.level)) return undefined;
  return {
    accountId: account.id,
    username: account.username,
    level: account.level,
    organisationID: account.organisation_id,
    organisationPath: account.path,
    codes: new Set(),
    sessionId: '',
    mustChangePassword: false,
    viewAs: null,
  };
}
