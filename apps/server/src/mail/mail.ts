import type { Kysely } from 'kysely';
import { brandOf } from '../branding/brand-of.ts';
import { addJob } from '../jobs/jobs.ts';
import type { Database } from '../stores/schema.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** Whose mail it is: it looks as the brand of the account's organisation does. */
  readonly accountId?: string;
  /** Its brand, where that is known already; null where it has none. */
  readonly brandId?: string | null;
  readonly attachments?: readonly Attachment[];
}

/** A file that goes with a mail. */
export interface Attachment {
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export const SEND_MAIL = 'mail.send';

/** Puts a mail into the outbox and queues its delivery; within a transaction it leaves only once that commits. Answers the id of the mail. */
export async function sendMail(
  db: Kysely<Database>,
  { to, subject, text, accountId, brandId, attachments = [] }: Mail,
): Promise<string> {
  const brand = brandId === undefined && accountId !== undefined ? (await brandOf(db, { accountId }))?.id : brandId;
  const { id } = await db
    .insertInto('mails')
    .values({ recipient: to, subject, body: text, sent_at: null, brand_id: brand ?? null })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const { name, contentType, content } of attachments) {
    await db.insertInto('mail_attachments').values({ mail_id: id, name, content_type: contentType, content }).execute();
  }
  await addJob(db, SEND_MAIL, { id });
  return id;
}
