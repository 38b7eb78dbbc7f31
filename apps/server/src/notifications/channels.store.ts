import type { ChannelKind } from '@sonnenwarte/contract/notifications/notifications';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

export type Target =
  | { readonly kind: 'email'; readonly address: string }
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string }
  | {
      readonly kind: 'push';
      readonly endpoint: string;
      readonly keys: { readonly p256dh: string; readonly auth: string };
    };

export type ChannelRow = Awaited<ReturnType<typeof channelsOf>>[number];

const columns = [
  'id',
  'account_id',
  'kind',
  'name',
  'target',
  'enabled',
  'created_at',
  'last_delivered_at',
  'last_error',
  'last_error_at',
] as const;

/** Channels of an account, oldest first. */
export const channelsOf = (db: Db, accountId: string) =>
  db
    .selectFrom('notification_channels')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const channelOf = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom('notification_channels')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

export const channelById = (db: Db, id: string) =>
  db.selectFrom('notification_channels').select(columns).where('id', '=', id).executeTakeFirst();

export async function insertChannel(db: Db, accountId: string, name: string, target: Target): Promise<string> {
  const { kind, ...stored } = target;
  const { id } = await db
    .insertInto('notification_channels')
    .values({
      account_id: accountId,
      kind,
      name,
      target: JSON.stringify(stored),
      last_delivered_at: null,
      last_error_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const setEnabled = (db: Db, id: string, enabled: boolean) =>
  db.updateTable('notification_channels').set({ enabled }).where('id', '=', id).execute();

export const deleteChannel = (db: Db, id: string) =>
  db.deleteFrom('notification_channels').where('id', '=', id).execute();

export const noteDelivered = (db: Db, id: string) =>
  db
    .updateTable('notification_channels')
    .set({ last_delivered_at: new Date(), last_error: '', last_error_at: null })
    .where('id', '=', id)
    .execute();

export const noteFailed = (db: Db, id: string, error: string) =>
  db
    .updateTable('notification_channels')
    .set({ last_error: error, last_error_at: new Date() })
    .where('id', '=', id)
    .execute();

/** Where a channel sends to, with what it needs for that. */
export const targetOf = (row: { kind: ChannelKind; target: Record<string, unknown> }): Target =>
  ({ kind: row.kind, ...row.target }) as Target;

/** To whom notices speak. */
export const readerOf = (db: Db, accountId: string) =>
  db
    .selectFrom('accounts')
    .select(['id', 'username', 'name', 'email', 'email_confirmed_at', 'language', 'time_zone'])
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** The account's own address in lower case; empty as long as it is not confirmed. */
export const confirmedAddressOf = (account: { email: string; email_confirmed_at: Date | null }): string =>
  account.email_confirmed_at === null ? '' : account.email.toLowerCase();
