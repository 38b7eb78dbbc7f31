import { randomBytes } from 'node:crypto';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import {
  type Channel,
  MAX_CHANNELS,
  type notificationEndpoints,
} from '@sonnenwarte/contract/notifications/notifications';
import type { Kysely, Transaction } from 'kysely';
import { type Rate, takeOf } from '../accounts/attempts.store.ts';
import { CallPace } from '../api-keys/call-pace.ts';
import { recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
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
import { isAllowedUrl } from './outgoing-request.ts';
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
function shownTarget(target: Target): string {
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
  createdMs: row.created_at.getTime(),
  lastDeliveredMs: row.last_delivered_at?.getTime() ?? null,
  lastFailure: failureOf(row.last_error),
  lastFailureMs: row.last_error_at?.getTime() ?? null,
});

const refusedField = (path: string, reason: string) =>
  new CallError('refusedInput', { fields: [{ path, reason, params: {} }] });

/** Channels of the signed-in account. */
export class ChannelService {
  readonly #parts: DeliveryParts;
  readonly #tests = new CallPace(TEST_EVERY_MS);

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  async list({ actor }: CallContext): Promise<Result<Channels['list']>> {
    const { db } = this.#parts;
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

  addEmail({ name, address }: Parsed<Channels['addEmail']>, context: CallContext) {
    return this.#add(name, { kind: 'email', address }, context);
  }

  async addWebhook({ name, url }: Parsed<Channels['addWebhook']>, context: CallContext) {
    if (!isAllowedUrl(url, this.#parts.rules)) throw refusedField('url', 'wrong');
    const secret = randomBytes(32).toString('hex');
    return { ...(await this.#add(name, { kind: 'webhook', url, secret }, context)), secret };
  }

  async addPush({ name, endpoint, keys }: Parsed<Channels['addPush']>, context: CallContext) {
    if (!isAllowedUrl(endpoint, this.#parts.rules)) throw refusedField('endpoint', 'wrong');
    if (!isBrowserKey(keys.p256dh)) throw refusedField('keys.p256dh', 'wrong');
    return this.#add(name, { kind: 'push', endpoint, keys }, context);
  }

  enable({ id, enabled }: Parsed<Channels['enable']>, context: CallContext): Promise<Result<Channels['enable']>> {
    return this.#inTransaction(async (tx) => {
      const channel = found(await channelOf(tx, context.actor.accountId, id), 'channelNotFound');
      if (channel.enabled === enabled) return {};
      await setEnabled(tx, id, enabled);
      await this.#record(tx, context, 'notifications.editChannel', channel, {
        before: { enabled: channel.enabled },
        after: { enabled },
      });
      return {};
    });
  }

  async test({ id }: Parsed<Channels['test']>, context: CallContext): Promise<Result<Channels['test']>> {
    const { db } = this.#parts;
    const channel = found(await channelOf(db, context.actor.accountId, id), 'channelNotFound');
    if (!this.#tests.admits(id, Date.now())) throw new CallError('tooManyRequests');
    await refuseBeyond(db, testsOfAccount, context.actor.accountId);
    const failure = await deliver(this.#parts, channel, { kind: 'test' }, Date.now());
    await this.#inTransaction((tx) =>
      this.#record(tx, context, 'notifications.testChannel', channel, { after: { delivered: failure === undefined } }),
    );
    return {
      delivered: failure === undefined,
      failure: failure === undefined ? null : { reason: failure.reason, status: failure.status },
    };
  }

  remove({ id }: Parsed<Channels['remove']>, context: CallContext): Promise<Result<Channels['remove']>> {
    return this.#inTransaction(async (tx) => {
      const channel = found(await channelOf(tx, context.actor.accountId, id), 'channelNotFound');
      await deleteChannel(tx, id);
      await this.#record(tx, context, 'notifications.removeChannel', channel, { before: described(channel) });
      return {};
    });
  }

  #add(name: string, target: Target, context: CallContext): Promise<{ id: string }> {
    const { accountId } = context.actor;
    return this.#inTransaction(async (tx) => {
      await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
      if ((await channelsOf(tx, accountId)).length >= MAX_CHANNELS) throw new CallError('tooManyChannels');
      await refuseBeyond(tx, additions, accountId);
      const id = await insertChannel(tx, accountId, name, target);
      const channel = found(await channelOf(tx, accountId, id), 'channelNotFound');
      await this.#record(tx, context, 'notifications.addChannel', channel, { after: described(channel) });
      return { id };
    });
  }

  #inTransaction<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
    return this.#parts.db.transaction().execute(work);
  }

  #record(
    tx: Transaction<Database>,
    context: CallContext,
    action:
      | 'notifications.addChannel'
      | 'notifications.editChannel'
      | 'notifications.removeChannel'
      | 'notifications.testChannel',
    channel: ChannelRow,
    change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
  ): Promise<void> {
    return recordAudit(tx, context, {
      log: 'account',
      action,
      recordKind: 'channel',
      recordId: channel.id,
      recordName: channel.name || shownTarget(targetOf(channel)),
      organisationPath: context.actor.organisationPath,
      ...change,
    });
  }
}

const described = (channel: ChannelRow): Record<string, unknown> => ({
  kind: channel.kind,
  target: shownTarget(targetOf(channel)),
});
