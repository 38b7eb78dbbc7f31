import { type Kysely, sql, type Transaction } from 'kysely';
import { hashToken } from '../broker/credentials.ts';
import { formerEntry, untilWithFormers, withFormers } from '../broker/former-passwords.ts';
import { sealKeysOf } from '../stores/database.ts';
import type { Database } from '../stores/schema.ts';
import { derivedToken } from './tokens.ts';

type Db = Kysely<Database>;

/**
 * Offers a datalogger the password that a command tells it, good beside its own until then, and beside one that it was offered before, which it may
 * have taken meanwhile. The password is derived of the command and of a key that is not in the database: a command that is sent again tells the
 * same one, and it is kept nowhere.
 */
export async function offerPassword(
  tx: Transaction<Database>,
  { id, commandID, until }: { readonly id: string; readonly commandID: string; readonly until: Date },
): Promise<void> {
  const token = derivedToken(sealKeysOf(tx).current.secret, commandID);
  await sql`update loggers set next_token_hash = ${hashToken(token)}, next_token_until = ${until}, next_token_command = ${commandID},
      former_token_hash = case when next_token_until > now()
        then ${withFormers([formerEntry(sql`next_token_hash`, sql`next_token_until`)])} else former_token_hash end,
      former_token_until = case when next_token_until > now()
        then ${untilWithFormers(sql`next_token_until`)} else former_token_until end
    where id = ${id}`.execute(tx);
}

/** The password that a command tells; undefined where it is not offered any more, or no key is left that it was derived of. */
export async function offeredPassword(db: Db, command: { readonly id: string }): Promise<string | undefined> {
  const offered = await db
    .selectFrom('loggers')
    .select('next_token_hash')
    .where('next_token_command', '=', command.id)
    .where('next_token_until', '>', new Date())
    .executeTakeFirst();
  if (!offered?.next_token_hash) return undefined;
  for (const { secret } of sealKeysOf(db).all.values()) {
    const token = derivedToken(secret, command.id);
    if (hashToken(token).equals(offered.next_token_hash)) return token;
  }
  return undefined;
}
