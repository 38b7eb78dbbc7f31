import type { Kysely } from 'kysely';
import { addJob } from '../jobs/jobs.ts';
import type { Database } from '../stores/schema.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export const SEND_MAIL = 'mail.send';

/** Puts a mail into the outbox and queues its delivery; within a transaction it leaves only once that commits. Answers the id of the mail. */
export async function sendMail(db: Kysely<Database>, { to, subject, text }: Mail): Promise<string> {
  const { id } = await db
    .insertInto('mails')
    .values({ recipient: to, subject, body: text, sent_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addJob(db, SEND_MAIL, { id });
  return id;
}
