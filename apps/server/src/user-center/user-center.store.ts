import { type Kysely, type SqlBool, sql, type Updateable } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Living sessions of an account, the one used last first. */
export const sessionsOf = (db: Db, accountId: string) =>
  db
    .selectFrom('sessions')
    .select(['id', 'address', 'user_agent', 'created_at', 'last_seen_at'])
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date())
    .where(sql<SqlBool>`not exists (select from sessions parent
      where parent.id = sessions.view_parent_id and parent.ended_at is not null)`)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();

/** Ends a living session of an account; undefined where it has none such. */
export const endSessionOf = (db: Db, accountId: string, id: string) =>
  db
    .updateTable('sessions')
    .set({ ended_at: new Date(), ended_because: 'endedElsewhere' })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date())
    .returning(['id', 'address', 'user_agent'])
    .executeTakeFirst();

const accountColumns = [
  'id',
  'organisation_id',
  'username',
  'password_hash',
  'level',
  'leads',
  'name',
  'phone',
  'email',
  'country',
  'city',
  'address',
  'postcode',
  'introduction',
  'note',
  'language',
  'theme',
  'time_zone',
  'units',
  'keys_guarded',
] as const;

export type AccountRow = NonNullable<Awaited<ReturnType<typeof accountForUpdate>>>;

/** An account that is not deleted, held until the transaction ends. */
export const accountForUpdate = (db: Db, id: string) =>
  db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();

export const accountOf = (db: Db, id: string) =>
  db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

type Changeable = Pick<
  Updateable<Database['accounts']>,
  | 'name'
  | 'phone'
  | 'email'
  | 'email_confirmed_at'
  | 'country'
  | 'city'
  | 'address'
  | 'postcode'
  | 'introduction'
  | 'note'
  | 'language'
  | 'theme'
  | 'time_zone'
  | 'units'
  | 'keys_guarded'
>;

export const updateAccount = (db: Db, id: string, values: Changeable) =>
  db
    .updateTable('accounts')
    .set({ ...values, updated_at: new Date() })
    .where('id', '=', id)
    .execute();

export const organisationOf = (db: Db, id: string) =>
  db
    .selectFrom('organisations')
    .select(['id', 'kind', 'name', 'sign_up_code', 'phone', 'email'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
