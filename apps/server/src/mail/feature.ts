import { type Kysely, sql } from 'kysely';
import * as z from 'zod/mini';
import { featureOf } from '../feature.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { inItsLook } from './branded-mail.ts';
import { SEND_MAIL } from './mail.ts';
import { transportOf } from './transport.ts';

const payload = z.object({ id: z.uuid() });
const KEPT_DAYS = 30;

/** Sends what `sendMail` has queued. What could not be sent is tried again later, with growing pauses. */
export const feature = featureOf({}, {}, start);

function start(services: Uses<'db' | 'jobs' | 'config' | 'logger' | 'publicUrl'>): void {
  const { db, jobs, config, logger, publicUrl } = services;
  const transport = transportOf(config);
  jobs.on(SEND_MAIL, async (sent) => {
    const { id } = payload.parse(sent);
    const mail = await db
      .selectFrom('mails')
      .selectAll()
      .where('id', '=', id)
      .where('sent_at', 'is', null)
      .executeTakeFirst();
    if (!mail) return;
    try {
      const shown = await inItsLook(db, mail, publicUrl());
      const attachments = await attachmentsOf(db, id);
      const { recipient: to, subject, created_at: at } = mail;
      const where = await transport({ id, to, subject, at, ...shown, attachments });
      logger.info({ mail: id }, `mail for ${mail.recipient} is in ${where}`);
    } catch (error) {
      await noteFailure(db, id, error);
      logger.warn({ mail: id, err: error }, `mail for ${mail.recipient} was not taken; it is tried again`);
      throw error;
    }
    // The text may hold a one-time link, which nobody needs to find here later.
    await db
      .updateTable('mails')
      .set({ sent_at: sql`now()`, attempts: sql`attempts + 1`, last_error: '', body: '' })
      .where('id', '=', id)
      .execute();
    await db.deleteFrom('mail_attachments').where('mail_id', '=', id).execute();
  });

  jobs.every('mail.forget', '17 3 * * *', async () => {
    await db
      .deleteFrom('mails')
      .where('created_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
      .execute();
  });
}

const attachmentsOf = (db: Kysely<Database>, id: string) =>
  db
    .selectFrom('mail_attachments')
    .select(['name', 'content_type as contentType', 'content'])
    .where('mail_id', '=', id)
    .orderBy('name')
    .execute();

const noteFailure = (db: Kysely<Database>, id: string, error: unknown) =>
  db
    .updateTable('mails')
    .set({
      attempts: sql`attempts + 1`,
      last_error: (error instanceof Error ? error.message : String(error)).slice(0, 500),
    })
    .where('id', '=', id)
    .execute();
