import { createHmac } from 'node:crypto';
import type { Language } from '@sonnenwarte/contract/languages';
import { type DeliveryFailure, deliveryFailures } from '@sonnenwarte/contract/notifications/notifications';
import type { Kysely } from 'kysely';
import { sendMail } from '../mail/mail.ts';
import { sendUnconfirmed } from '../mail/unconfirmed.ts';
import type { OutgoingRules } from '../outgoing/outgoing-address.ts';
import type { Database } from '../stores/schema.ts';
import {
  type ChannelRow,
  channelById,
  confirmedAddressOf,
  noteDelivered,
  noteFailed,
  readerOf,
  setEnabled,
  targetOf,
} from './channels.store.ts';
import type { Notice } from './notice.ts';
import { noticeText, type Reader } from './notice-text.ts';
import type { Delivery } from './notify.ts';
import { DeliveryError, post } from './outgoing-request.ts';
import { isBrowserKey, pushMessage, vapidKeys } from './web-push.ts';

export interface DeliveryParts {
  readonly db: Kysely<Database>;
  readonly rules: OutgoingRules;
  /** `mailto:` address or URL of who runs this installation, for push services. */
  readonly contact: string;
}

/** A notice older than this is not worth another try. */
const TRY_FOR_MS = 3_600_000;

/** Signature of a webhook's body: HMAC-SHA256 of the time in seconds, a dot and the body. */
export const webhookSignature = (secret: string, timestampS: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestampS}.${body}`).digest('hex')}`;

/** What a channel carries, in the words of who reads it. */
export interface Told {
  /** What it is about, for programs. */
  readonly kind: string;
  readonly atMs: number;
  readonly title: string;
  /** One or two sentences. */
  readonly text: string;
  /** Body of a mail. */
  readonly letter: string;
  readonly language: Language;
  /** Path in the portal to which it leads. */
  readonly url: string;
  /** Facts for programs. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The same at every try, so that a receiver knows one that it has got before. */
  readonly id?: string;
}

type ReaderAccount = NonNullable<Awaited<ReturnType<typeof readerOf>>>;

export const readerFrom = (account: ReaderAccount): Reader => ({
  name: account.name || account.username,
  language: account.language,
  timeZone: account.time_zone,
});

async function send(parts: DeliveryParts, channel: ChannelRow, account: ReaderAccount, told: Told): Promise<void> {
  const { db, rules, contact } = parts;
  const { kind, atMs, title, text, letter, language, url, detail, id } = told;
  const target = targetOf(channel);
  switch (target.kind) {
    case 'email': {
      const mail = { to: target.address, subject: title, text: letter, accountId: account.id };
      if (target.address.toLowerCase() === confirmedAddressOf(account)) {
        await sendMail(db, mail);
        return;
      }
      if (await sendUnconfirmed(db, mail)) return;
      throw new DeliveryError('addressLimit');
    }
    case 'webhook': {
      const at = new Date(atMs).toISOString();
      const body = JSON.stringify({ kind, at, user: account.username, title, text, detail });
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Sonnenwarte',
        'x-sonnenwarte-timestamp': timestamp,
        'x-sonnenwarte-signature': webhookSignature(target.secret, timestamp, body),
        ...(id !== undefined && { 'x-sonnenwarte-delivery': id }),
      };
      return post(target.url, { headers, body }, rules);
    }
    case 'push': {
      const payload = JSON.stringify({ title, body: text, lang: language, url });
      if (!isBrowserKey(target.keys.p256dh)) throw new DeliveryError('browserKey');
      return post(target.endpoint, pushMessage(payload, target, await vapidKeys(db), contact), rules);
    }
  }
}

export const storedFailure = ({ reason, status }: DeliveryError): string =>
  status === null ? reason : `${reason}:${status}`;

/** The failure that a channel's `last_error` stands for. */
export function failureOf(stored: string): { reason: DeliveryFailure; status: number | null } | null {
  if (stored === '') return null;
  const [name, status] = stored.split(':');
  const reason = deliveryFailures.find((each) => each === name) ?? 'unreachable';
  return { reason, status: status === undefined ? null : Number(status) };
}

/** Sends something on a channel and notes how that went. Answers the failure, if there was one; nothing is sent to who is gone. */
export async function deliverTold(
  parts: DeliveryParts,
  channel: ChannelRow,
  tell: (reader: Reader) => Told,
): Promise<DeliveryError | undefined> {
  const account = await readerOf(parts.db, channel.account_id);
  try {
    if (account) await send(parts, channel, account, tell(readerFrom(account)));
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    await noteFailed(parts.db, channel.id, storedFailure(error));
    // The browser has ended its subscription, or its key is none: nothing will ever arrive there.
    const isOver = error.reason === 'gone' || error.reason === 'browserKey';
    if (channel.kind === 'push' && isOver) await setEnabled(parts.db, channel.id, false);
    return error;
  }
  await noteDelivered(parts.db, channel.id);
  return undefined;
}

/** Sends a notice on a channel. */
export const deliver = (
  parts: DeliveryParts,
  channel: ChannelRow,
  notice: Notice,
  atMs: number,
): Promise<DeliveryError | undefined> =>
  deliverTold(parts, channel, (reader) => {
    const { kind, ...detail } = notice;
    return { kind, atMs, ...noticeText(notice, atMs, reader), url: '/user/center', detail };
  });

/** What may pass is tried again. */
export const mayPass = ({ reason, status }: DeliveryError): boolean =>
  reason === 'timeout' || reason === 'unreachable' || (status ?? 0) >= 500 || status === 429;

/** The job of one delivery. What may pass is tried again, with growing pauses, as long as it is news. */
export async function deliverJob(parts: DeliveryParts, { channelId, notice, atMs }: Delivery): Promise<void> {
  const channel = await channelById(parts.db, channelId);
  if (!channel?.enabled) return;
  const failure = await deliver(parts, channel, notice, atMs);
  if (failure && mayPass(failure) && Date.now() - atMs < TRY_FOR_MS) throw failure;
}
