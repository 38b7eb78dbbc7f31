import type { Kysely } from 'kysely';
import { addJob, turnOf } from '../jobs/jobs.ts';
import { sendMail } from '../mail/mail.ts';
import { mayMailUnconfirmed } from '../mail/unconfirmed.ts';
import { channelById } from '../notifications/channels.store.ts';
import { type DeliveryParts, deliverTold, mayPass, storedFailure, type Told } from '../notifications/delivery.ts';
import type { Database } from '../stores/schema.ts';
import { addDelivery, deliveryById, type NewDelivery, noteAttempt } from './tell.store.ts';
import type { Way } from './ways.ts';

export const DELIVER_ALARM = 'alarm-rules.deliver';

/** A delivery is tried for so long, with growing pauses. */
const TRY_FOR_MS = 6 * 3_600_000;

export interface QueuedDelivery {
  readonly deliveryId: string;
  readonly told: Told;
}

export type PlannedDelivery = Omit<NewDelivery, 'channel_id' | 'target' | 'state' | 'sent_at' | 'failure' | 'mail_id'>;

/**
 * Puts what is told on its way to one place, within the transaction of who tells it: nothing leaves unless that commits. The inbox has it at once, a mail is in the
 * outbox, the rest is sent by a job.
 */
export async function putOnWay(tx: Kysely<Database>, planned: PlannedDelivery, way: Way, told: Told): Promise<void> {
  const base = { ...planned, channel_id: way.channelId, target: way.target };
  switch (planned.channel) {
    case 'inbox':
      await addDelivery(tx, { ...base, state: 'sent', sent_at: planned.at });
      return;
    case 'email': {
      if (way.channelId !== null && !(await mayMailUnconfirmed(tx, way.target))) {
        await addDelivery(tx, { ...base, state: 'failed', failure: 'addressLimit' });
        return;
      }
      const mailId = await sendMail(tx, {
        to: way.target,
        subject: told.title,
        text: told.letter,
        accountId: planned.account_id,
      });
      await addDelivery(tx, { ...base, mail_id: mailId });
      return;
    }
    default: {
      const deliveryId = await addDelivery(tx, base);
      const queued = { deliveryId, told: { ...told, id: deliveryId } } satisfies QueuedDelivery;
      await addJob(tx, DELIVER_ALARM, queued, turnOf(planned.account_id));
    }
  }
}

/** The job of one delivery. What may pass is tried again until it is too old; each try and the end are noted. */
export async function deliverAlarm(
  parts: DeliveryParts,
  { deliveryId, told }: QueuedDelivery,
  nowMs: number,
): Promise<void> {
  const { db } = parts;
  const delivery = await deliveryById(db, deliveryId);
  // Gone with its account, or done before by a job that could not say so.
  if (delivery === undefined || delivery.state !== 'queued') return;
  const at = new Date(nowMs);
  const channel = delivery.channel_id === null ? undefined : await channelById(db, delivery.channel_id);
  const isOld = nowMs - delivery.at.getTime() >= TRY_FOR_MS;
  if (isOld && delivery.attempts > 0) {
    await noteAttempt(db, deliveryId, { state: 'failed', failure: delivery.failure, at });
    return;
  }
  if (!channel?.enabled) {
    await noteAttempt(db, deliveryId, { state: 'failed', failure: 'gone', at });
    return;
  }
  const failure = await deliverTold(parts, channel, () => told);
  if (failure === undefined) {
    await noteAttempt(db, deliveryId, { state: 'sent', failure: '', at });
    return;
  }
  const isWorthAnother = mayPass(failure) && nowMs - delivery.at.getTime() < TRY_FOR_MS;
  await noteAttempt(db, deliveryId, {
    state: isWorthAnother ? 'queued' : 'failed',
    failure: storedFailure(failure),
    at,
  });
  if (isWorthAnother) throw failure;
}
