import { createHmac } from 'node:crypto';
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
import { noticeText } from './notice-text.ts';
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

async function send(parts: DeliveryParts, channel: ChannelRow, notice: Notice, atMs: number): Promise<void> {
  const { db, rules, contact } = parts;
  const account = await readerOf(db, channel.account_id);
  if (!account) return;
  const reader = { name: account.name || account.username, language: account.language, timeZone: account.time_zone };
  const { title, text, letter, language } = noticeText(notice, atMs, reader);
  const target = targetOf(channel);
  switch (target.kind) {
    case 'email': {
      const mail = { to: target.address, subject: title, text: letter };
      if (target.address.toLowerCase() === confirmedAddressOf(account)) return sendMail(db, mail);
      if (await sendUnconfirmed(db, mail)) return;
      throw new DeliveryError('addressLimit');
    }
    case 'webhook': {
      const { kind, ...detail } = notice;
      const at = new Date(atMs).toISOString();
      const body = JSON.stringify({ kind, at, user: account.username, title, text, detail });
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Sonnenwarte',
        'x-sonnenwarte-timestamp': timestamp,
        'x-sonnenwarte-signature': webhookSignature(target.secret, timestamp, body),
      };
      return post(target.url, { headers, body }, rules);
    }
    case 'push': {
      const payload = JSON.stringify({ title, body: text, lang: language, url: '/user/center' });
      if (!isBrowserKey(target.keys.p256dh)) throw new DeliveryError('browserKey');
      return post(target.endpoint, pushMessage(payload, target, await vapidKeys(db), contact), rules);
    }
  }
}

const storedFailure = ({ reason, status }: DeliveryError): string => (status === null ? reason : `${reason}:${status}`);

/** The failure that a channel's `last_error` stands for. */
export function failureOf(stored: string): { reason: DeliveryFailure; status: number | null } | null {
  if (stored === '') return null;
  const [name, status] = stored.split(':');
  const reason = deliveryFailures.find((each) => each === name) ?? 'unreachable';
  return { reason, status: status === undefined ? null : Number(status) };
}

/** Sends a notice on a channel and notes how that went. Answers the failure, if there was one. */
export async function deliver(
  parts: DeliveryParts,
  channel: ChannelRow,
  notice: Notice,
  atMs: number,
): Promise<DeliveryError | undefined> {
  try {
    await send(parts, channel, notice, atMs);
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    await noteFailed(parts.db, channel.id, storedFailure(error));
    return error;
  }
  await noteDelivered(parts.db, channel.id);
  return undefined;
}

/** The job of one delivery. What may pass is tried again, with growing pauses, as long as it is news. */
export async function deliverJob(parts: DeliveryParts, { channelId, notice, atMs }: Delivery): Promise<void> {
  const channel = await channelById(parts.db, channelId);
  if (!channel?.enabled) return;
  const failure = await deliver(parts, channel, notice, atMs);
  if (!failure) return;
  // The browser has ended its subscription, or its key is none: nothing will ever arrive there.
  const isOver = failure.reason === 'gone' || failure.reason === 'browserKey';
  if (channel.kind === 'push' && isOver) await setEnabled(parts.db, channel.id, false);
  const mayPass = failure.reason === 'timeout' || failure.reason === 'unreachable' || (failure.status ?? 0) >= 500;
  if (mayPass && Date.now() - atMs < TRY_FOR_MS) throw failure;
}
