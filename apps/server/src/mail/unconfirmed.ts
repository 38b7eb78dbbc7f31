import type { Kysely } from 'kysely';
import { type Rate, takeOf } from '../attempts/attempts.store.ts';
import type { Database } from '../stores/schema.ts';
import { type Mail, sendMail } from './mail.ts';

/** So that nobody fills a stranger's letter box, with one account or with many. */
const byRecipient: Rate = { kind: 'mail.unconfirmed', most: 10, windowMs: 24 * 3_600_000 };

/** Counts a mail to an address that its account has not confirmed; false where the address has had enough of them. */
export const mayMailUnconfirmed = async (db: Kysely<Database>, address: string): Promise<boolean> =>
  (await takeOf(db, byRecipient, address.toLowerCase())) === 0;

/** Queues a mail to an address that its account has not confirmed; false where the address has had enough of them. */
export async function sendUnconfirmed(db: Kysely<Database>, mail: Mail): Promise<boolean> {
  const may = await mayMailUnconfirmed(db, mail.to);
  if (may) await sendMail(db, mail);
  return may;
}
