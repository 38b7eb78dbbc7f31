import type { RuleChannel } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import type { Kysely } from 'kysely';
import { shownTarget } from '../notifications/channels.service.ts';
import { channelsOf, confirmedAddressOf, readerOf, targetOf } from '../notifications/channels.store.ts';
import type { Database } from '../stores/schema.ts';

/** A place at which somebody can be told something. */
export interface Way {
  /** `null`: the inbox, or the account's own address. */
  readonly channelId: string | null;
  /** As it is shown: address, URL without its query, host of the push service. */
  readonly target: string;
}

export type WaysOfAccount = Readonly<Record<RuleChannel, readonly Way[]>>;

/** Where an account can be told something: its inbox, its confirmed address, and its channels that are on. */
export async function waysOf(db: Kysely<Database>, accountId: string): Promise<WaysOfAccount> {
  const account = await readerOf(db, accountId);
  const channels = (await channelsOf(db, accountId)).filter(({ enabled }) => enabled);
  const own = account === undefined ? '' : confirmedAddressOf(account);
  const ofKind = (kind: 'email' | 'push' | 'webhook'): Way[] =>
    channels
      .filter((channel) => channel.kind === kind)
      .map((channel) => ({ channelId: channel.id, target: shownTarget(targetOf(channel)) }))
      .filter(({ target }) => kind !== 'email' || target.toLowerCase() !== own);
  return {
    inbox: [{ channelId: null, target: '' }],
    email: [...(own === '' ? [] : [{ channelId: null, target: account?.email ?? own }]), ...ofKind('email')],
    push: ofKind('push'),
    webhook: ofKind('webhook'),
  };
}
