import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { hashToken } from './sessions.ts';

type Db = Kysely<Database>;

/** A one-time link to set a new password is good for this long. */
export const RESET_LINK_MINUTES = 30;
export const CONFIRM_LINK_DAYS = 7;

const newCode = (): string => randomBytes(32).toString('base64url');
const later = (ms: number): Date => new Date(Date.now() + ms);

/** Links to set a new password that were made for an account within the last hour. */
export async function resetLinksOfLastHour(db: Db, accountId: string): Promise<number> {
  const { n } = await db
    .selectFrom('password_resets')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('account_id', '=', accountId)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Makes the code of a link; only its hash is kept. */
export async function newResetCode(db: Db, accountId: string): Promise<string> {
  const code = newCode();
  await db
    .insertInto('password_resets')
    .values({
      code_hash: hashToken(code),
      account_id: accountId,
      expires_at: later(RESET_LINK_MINUTES * 60_000),
      used_at: null,
    })
    .execute();
  return code;
}

/** Makes links void that were mailed but not opened: with the password or the address that they were made for. */
export const voidResetLinks = (db: Db, accountId: string) =>
  db
    .updateTable('password_resets')
    .set({ used_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute();

/** Whether a code may still be used. */
export const knowsResetCode = async (db: Db, code: string): Promise<boolean> =>
  (await db
    .selectFrom('password_resets')
    .select('account_id')
    .where('code_hash', '=', hashToken(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()) !== undefined;

/** Uses a code up; answers its account, or nothing where it is unknown, used or expired. */
export const takeResetCode = async (db: Db, code: string): Promise<string | undefined> =>
  (
    await db
      .updateTable('password_resets')
      .set({ used_at: sql`now()` })
      .where('code_hash', '=', hashToken(code))
      .where('used_at', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('account_id')
      .executeTakeFirst()
  )?.account_id;

export async function newConfirmCode(db: Db, accountId: string, email: string): Promise<string> {
  const code = newCode();
  await db
    .insertInto('email_confirmations')
    .values({
      code_hash: hashToken(code),
      account_id: accountId,
      email,
      expires_at: later(CONFIRM_LINK_DAYS * 86_400_000),
      used_at: null,
    })
    .execute();
  return code;
}

export const takeConfirmCode = (db: Db, code: string): Promise<{ account_id: string; email: string } | undefined> =>
  db
    .updateTable('email_confirmations')
    .set({ used_at: sql`now()` })
    .where('code_hash', '=', hashToken(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['account_id', 'email'])
    .executeTakeFirst();

/** Marks an address as its owner's; false where the account has another one by now. */
export async function confirmAddress(db: Db, accountId: string, email: string): Promise<boolean> {
  const confirmed = await db
    .updateTable('accounts')
    .set({ email_confirmed_at: sql`now()` })
    .where('id', '=', accountId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return confirmed.numUpdatedRows === 1n;
}

export async function forgetOldLinks(db: Db): Promise<void> {
  for (const table of ['password_resets', 'email_confirmations'] as const) {
    await db.deleteFrom(table).where('expires_at', '<', sql<Date>`now() - interval '1 day'`).execute();
  }
}
