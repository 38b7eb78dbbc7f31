import { type Kysely, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { groupCodesOf } from '../accounts/session-actors.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** A day of the quota: the calendar day of UTC. */
export const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** Living keys of an account, newest last. */
export const keysOf = (db: Db, accountId: string) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'prefix', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Calls of a day by endpoint of an account's keys, most first. */
export const callsOf = (db: Db, accountId: string, day: string) =>
  db
    .selectFrom('api_key_calls')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_calls.key_id')
    .select(['api_key_calls.key_id', 'api_key_calls.path', 'api_key_calls.calls'])
    .where('api_keys.account_id', '=', accountId)
    .where('api_key_calls.day', '=', day)
    .orderBy('api_key_calls.calls', 'desc')
    .orderBy('api_key_calls.path')
    .execute();

/** Inverters in scope: what the quota grows with. */
export async function countInverters(db: Db, scope: Scope): Promise<number> {
  const { count } = await db
    .selectFrom('devices')
    .where(visibleDevices(scope))
    .where('devices.kind', '=', 'inverter')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertKey(
  db: Db,
  key: { accountId: string; name: string; prefix: string; hash: Buffer },
): Promise<string> {
  const { id } = await db
    .insertInto('api_keys')
    .values({
      account_id: key.accountId,
      name: key.name,
      prefix: key.prefix,
      key_hash: key.hash,
      last_used_at: null,
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Revokes a living key of an account and answers its name. */
export const revokeKey = (db: Db, accountId: string, id: string) =>
  db
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .returning(['name', 'prefix'])
    .executeTakeFirst();

export type KeyAccount = NonNullable<Awaited<ReturnType<typeof accountByKey>>>;

/** The account of a living key, as sessions have it. */
export const accountByKey = (db: Db, hash: Buffer) =>
  db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .select([
      'api_keys.id as key_id',
      'api_keys.last_used_at',
      'accounts.id',
      'accounts.username',
      'accounts.level',
      'accounts.leads',
      'accounts.organisation_id',
      'accounts.password_temporary',
      'accounts.client_id',
      'accounts.api_mqtt_enable',
      'accounts.disabled_at',
      'accounts.deleted_at',
      'organisations.path',
      'organisations.disabled_at as organisation_disabled_at',
      'organisations.deleted_at as organisation_deleted_at',
      groupCodesOf('accounts').as('group_codes'),
    ])
    .where('api_keys.key_hash', '=', hash)
    .where('api_keys.revoked_at', 'is', null)
    .executeTakeFirst();

/** Calls of all keys of an account on a day, of revoked ones too. */
export async function callsOfAccount(db: Db, accountId: string, day: string): Promise<number> {
  const counted = await db
    .selectFrom('account_calls')
    .select('calls')
    .where('account_id', '=', accountId)
    .where('day', '=', day)
    .executeTakeFirst();
  return counted?.calls ?? 0;
}

/**
 * Counts a call, unless the day's quota of its account is used up. Answers the calls of the day with it, or undefined.
 * The account's row is held meanwhile: of calls at the same moment none gets past the count of another.
 */
export async function countCall(
  db: Db,
  call: { accountId: string; keyId: string; day: string; path: string; limit: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ calls: number }>`
    with counted as (
      insert into account_calls (account_id, day, calls) values (${call.accountId}, ${call.day}, 1)
      on conflict (account_id, day) do update set calls = account_calls.calls + 1
      where account_calls.calls < ${call.limit}
      returning calls
    ), noted as (
      insert into api_key_calls (key_id, day, path, calls)
      select ${call.keyId}, ${call.day}, ${call.path}, 1 from counted
      on conflict (key_id, day, path) do update set calls = api_key_calls.calls + 1
    )
    select calls from counted`.execute(db);
  return rows[0]?.calls;
}

export const touchKey = (db: Db, keyId: string) =>
  db.updateTable('api_keys').set({ last_used_at: new Date() }).where('id', '=', keyId).execute();

/** Counts of days long gone are of no use to anybody. */
export async function forgetCallsBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom('api_key_calls').where('day', '<', day).execute();
  await db.deleteFrom('account_calls').where('day', '<', day).execute();
}
