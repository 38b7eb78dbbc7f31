import type { Kysely } from 'kysely';
import { addJob, turnOf } from '../jobs/jobs.ts';
import { sendMail } from '../mail/mail.ts';
import { sendUnconfirmed } from '../mail/unconfirmed.ts';
import type { Database } from '../stores/schema.ts';
import {
  type ChannelRow,
  channelsOf,
  confirmedAddressOf,
  noteDelivered,
  noteFailed,
  readerOf,
  targetOf,
} from './channels.store.ts';
import type { Notice } from './notice.ts';
import { noticeText } from './notice-text.ts';

export const DELIVER = 'notifications.deliver';

/** A notice on its way to one channel. */
export interface Delivery {
  readonly channelId: string;
  readonly notice: Notice;
  readonly atMs: number;
}

const addressOf = (channel: ChannelRow): string => {
  const target = targetOf(channel);
  return target.kind === 'email' ? target.address.toLowerCase() : '';
};

/**
 * Tells an account something about its safety: always by mail to its own address once that is confirmed, and on every
 * channel that is switched on. Called within the transaction of what is told; nothing leaves unless that commits.
 */
export async function notify(tx: Kysely<Database>, accountId: string, notice: Notice): Promise<void> {
  const account = await readerOf(tx, accountId);
  if (!account) return;
  const atMs = Date.now();
  const channels = (await channelsOf(tx, accountId)).filter(({ enabled }) => enabled);
  const { title, letter } = noticeText(notice, atMs, {
    name: account.name || account.username,
    language: account.language,
    timeZone: account.time_zone,
  });
  const mailed = new Set<string>();
  const own = confirmedAddressOf(account);
  if (own !== '') {
    mailed.add(own);
    await sendMail(tx, { to: account.email, subject: title, text: letter, accountId });
  }
  // In the order of their addresses: those of two accounts are counted without waiting for each other in a circle.
  for (const channel of channels.toSorted((a, b) => addressOf(a).localeCompare(addressOf(b)))) {
    const target = targetOf(channel);
    if (target.kind !== 'email') {
      await addJob(tx, DELIVER, { channelId: channel.id, notice, atMs } satisfies Delivery, turnOf(accountId));
      continue;
    }
    const to = target.address.toLowerCase();
    const isSent =
      mailed.has(to) || (await sendUnconfirmed(tx, { to: target.address, subject: title, text: letter, accountId }));
    if (isSent) mailed.add(to);
    await (isSent ? noteDelivered(tx, channel.id) : noteFailed(tx, channel.id, 'addressLimit'));
  }
}
