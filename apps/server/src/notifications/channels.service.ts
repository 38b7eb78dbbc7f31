import { randomBytes } from 'node:crypto';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import {
  type Channel,
  MAX_CHANNELS,
  type notificationEndpoints,
} from '@sonnenwarte/contract/notifications/notifications';
import type { Kysely, Transaction } from 'kysely';
import { type Rate, takeOf } from '../attempts/attempts.store.ts';
import { CallPace } from '../attempts/call-pace.ts';
import { recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { isAllowedUrl } from '../outgoing/outgoing-address.ts';
import type { Database } from '../stores/schema.ts';
import {
  type ChannelRow,
  channelOf,
  channelsOf,
  deleteChannel,
  insertChannel,
  readerOf,
  setEnabled,
  type Target,
  targetOf,
} from './channels.store.ts';
import { type DeliveryParts, deliver, failureOf } from './delivery.ts';
import { isBrowserKey, vapidKeys } from './web-push.ts';

type Channels = typeof notificationEndpoints;

const TEST_EVERY_MS = 5_000;
const DAY_MS = 86_400_000;
const additions: Rate = { kind: 'channel.add', most: 50, windowMs: DAY_MS };
/** Also those of channels that are added, tried and removed again. */
const testsOfAccount: Rate = { kind: 'channel.test', most: 60, windowMs: DAY_MS };

async function refuseBeyond(db: Kysely<Database>, rate: Rate, accountId: string): Promise<void> {
  const retryAfterMs = await takeOf(db, rate, accountId);
  if (retryAfterMs > 0) throw new CallError('tryLater', { retryAfterMs });
}

/** The query of a webhook's address may hold a secret of its own. */
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/** Where it goes, without what is secret about it. */
export function shownTarget(target: Target): string {
  switch (target.kind) {
    case 'email':
      return target.address;
    case 'webhook':
      return withoutQuery(target.url);
    case 'push':
      return new URL(target.endpoint).host;
  }
}

const toChannel = (row: ChannelRow): Channel => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  target: shownTarget(targetOf(row)),
  enabled: row.enabled,
  createdAtMs: row.created_at.getTime(),
  lastDeliveredMs: row.last_delivered_at?.getTime() ?? null,
  lastFailure: failureOf(row.last_error),
  lastFailureMs: row.last_error_at?.getTime() ?? null,
});

const refusedField = (path: string, reason: string) =>
  new CallError('refusedInput', { fields: [{ path, reason, params: {} }] });

/** What channels work with beyond the services; `start` in the feature makes it. */
export interface ChannelUses extends DeliveryParts {
  readonly testPace: CallPace;
}

type Uses<Name extends keyof ChannelUses> = Pick<ChannelUses, Name>;

export const newTestPace = (): CallPace => new CallPace(TEST_EVERY_MS);

/** Channels of the signed-in account. */
export async function channelList(
  { db }: Uses<'db'>,
  _: unknown,
  { actor }: CallContext,
): Promise<Result<Channels['list']>> {
  const [account, rows, keys] = await Promise.all([
    readerOf(db, actor.accountId),
    channelsOf(db, actor.accountId),
    vapidKeys(db),
  ]);
  return {
    channels: rows.map(toChannel),
    accountEmail: account?.email ?? '',
    accountEmailConfirmed: account !== undefined && account.email_confirmed_at !== null,
    pushKey: keys.publicKey,
  };
}

export const addEmail = (
  { db }: Uses<'db'>,
  { name, address }: Parsed<Channels['addEmail']>,
  context: CallContext,
): Promise<Result<Channels['addEmail']>> => add(db, name, { kind: 'email', address }, context);

export async function addWebhook(
  { db, rules }: Uses<'db' | 'rules'>,
  { name, url }: Parsed<Channels['addWebhook']>,
  context: CallContext,
): Promise<Result<Channels['addWebhook']>> {
  if (!isAllowedUrl(url, rules)) throw refusedField('url', 'wrong');
  const secret = randomBytes(32).toString('hex');
  return { ...(await add(db, name, { kind: 'webhook', url, secret }, context)), secret };
}

export async function addPush(
  { db, rules }: Uses<'db' | 'rules'>,
  { name, endpoint, keys }: Parsed<Channels['addPush']>,
  context: CallContext,
): Promise<Result<Channels['addPush']>> {
  if (!isAllowedUrl(endpoint, rules)) throw refusedField('endpoint', 'wrong');
  if (!isBrowserKey(keys.p256dh)) throw refusedField('keys.p256dh', 'wrong');
  return add(db, name, { kind: 'push', endpoint, keys }, context);
}

export const enableChannel = (
  { db }: Uses<'db'>,
  { id, enabled }: Parsed<Channels['enable']>,
  context: CallContext,
): Promise<Result<Channels['enable']>> =>
  db.transaction().execute(async (tx) => {
    const channel = found(await channelOf(tx, context.actor.accountId, id), 'channelNotFound');
    if (channel.enabled === enabled) return {};
    await setEnabled(tx, id, enabled);
    await record(tx, context, 'notifications.editChannel', channel, {
      before: { enabled: channel.enabled },
      after: { enabled },
    });
    return {};
  });

export async function testChannel(
  uses: ChannelUses,
  { id }: Parsed<Channels['test']>,
  context: CallContext,
): Promise<Result<Channels['test']>> {
  const { db, testPace } = uses;
  const channel = found(await channelOf(db, context.actor.accountId, id), 'channelNotFound');
  if (!testPace.admits(id, Date.now())) throw new CallError('tooManyRequests');
  await refuseBeyond(db, testsOfAccount, context.actor.accountId);
  const failure = await deliver(uses, channel, { kind: 'test' }, Date.now());
  await db
    .transaction()
    .execute((tx) =>
      record(tx, context, 'notifications.testChannel', channel, { after: { delivered: failure === undefined } }),
    );
  return {
    delivered: failure === undefined,
    failure: failure === undefined ? null : { reason: failure.reason, status: failure.status },
  };
}

export const removeChannel = (
  { db }: Uses<'db'>,
  { id }: Parsed<Channels['remove']>,
  context: CallContext,
): Promise<Result<Channels['remove']>> =>
  db.transaction().execute(async (tx) => {
    const channel = found(await channelOf(tx, context.actor.accountId, id), 'channelNotFound');
    await deleteChannel(tx, id);
    await record(tx, context, 'notifications.removeChannel', channel, { before: described(channel) });
    return {};
  });

function add(db: Kysely<Database>, name: string, target: Target, context: CallContext): Promise<{ id: string }> {
  const { accountId } = context.actor;
  return db.transaction().execute(async (tx) => {
    await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
    if ((await channelsOf(tx, accountId)).length >= MAX_CHANNELS) throw new CallError('tooManyChannels');
    await refuseBeyond(tx, additions, accountId);
    const id = await insertChannel(tx, accountId, name, target);
    const channel = found(await channelOf(tx, accountId, id), 'channelNotFound');
    await record(tx, context, 'notifications.addChannel', channel, { after: described(channel) });
    return { id };
  });
}

const record = (
  tx: Transaction<Database>,
  context: CallContext,
  action:
    | 'notifications.addChannel'
    | 'notifications.editChannel'
    | 'notifications.removeChannel'
    | 'notifications.testChannel',
  channel: ChannelRow,
  change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
): Promise<void> =>
  recordAudit(tx, context, {
    log: 'account',
    action,
    recordKind: 'channel',
    recordId: channel.id,
    recordName: channel.name || shownTarget(targetOf(channel)),
    organisationPath: context.actor.organisationPath,
    ...change,
  });

const described = (channel: ChannelRow): Record<string, unknown> => ({
  kind: channel.kind,
  target: shownTarget(targetOf(channel)),
});
