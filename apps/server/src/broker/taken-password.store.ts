import { type Kysely, sql, type Transaction } from 'kysely';
import { LIVE_CHANNEL } from '../changes/live-bus.ts';
import type { Database } from '../stores/schema.ts';
import { formerEntry, untilWithFormers, withFormers } from './former-passwords.ts';

/**
 * A datalogger has connected with the password that it was offered: that is its own from now on, the one before stays good as long as the offer did, and
 * the command that told it has ended well.
 */
export async function takePassword(
  db: Kysely<Database>,
  sn: string,
  hash: Buffer,
  ended: (tx: Transaction<Database>, commandId: string) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ key: number; command: string | null }>`
      with taken as (select id, key, next_token_command as command from loggers
        where sn = ${sn} and next_token_hash = ${hash} and next_token_until > now() for update)
      update loggers set token_hash = next_token_hash, former_token_until = ${untilWithFormers(sql`next_token_until`)},
        former_token_hash = ${withFormers([formerEntry(sql`coalesce(token_hash, provisioned_by)`, sql`next_token_until`)])},
        next_token_hash = null, next_token_until = null, next_token_command = null
      from taken where loggers.id = taken.id returning taken.key, taken.command`.execute(tx);
    for (const { key, command } of rows) {
      if (command !== null) await ended(tx, command);
      await sql`select pg_notify(${LIVE_CHANNEL}, ${`c${key}`})`.execute(tx);
    }
  });
}
