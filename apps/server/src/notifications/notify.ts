import type { Kysely } from 'kysely';
import { addJob } from '../jobs/jobs.ts';
import { sendMail } from '../mail/mail.ts';
import type { Database } from '../stores/schema.ts';
import { channelsOf, noteDelivered, readerOf, targetOf } from './channels.store.ts';
import type { Notice } from './notice.ts';
import { noticeText } from './notice-text.ts';

export const DELIVER = 'notifications.deliver';

/** A notice on its way to one channel. */
export interface Delivery {
  readonly channelId: string;
  readonly notice: Notice;
  readonly atMs: number;
}

/**
 * Tells an account something about its safety: always by mail to its own address, and on every channel that is switched
 * on. Called within the transaction of what is told; nothing leaves unless that commits.
 */
export async function notify(
  tx: Kysely<Database>,
  accountId: string,
  notice: Notice,
  /** Further address, for example the one that was replaced. */
  alsoTo?: string,
): Promise<void> {
  const account = await readerOf(tx, accountId);
  if (!account) return;
  const atMs = Date.now();
  const channels = (await channelsOf(tx, accountId)).filter(({ enabled }) => enabled);
  const addresses = new Set([account.email, ...(alsoTo === undefined ? [] : [alsoTo])].map((to) => to.toLowerCase()));
  for (const channel of channels) {
    const target = targetOf(channel);
    if (target.kind === 'email') {
      addresses.add(target.address.toLowerCase());
      await noteDelivered(tx, channel.id);
    } else {
      await addJob(tx, DELIVER, { channelId: channel.id, notice, atMs } satisfies Delivery);
    }
  }
  const { title, letter } = noticeText(notice, atMs, {
    name: account.name || account.username,
    language: account.language,
    timeZone: account.time_zone,
  });
  for (const to of addresses) if (to !== '') await sendMail(tx, { to, subject: title, text: letter });
}
