import { createHash, randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** A session ends this long after its last use. */
export const SESSION_IDLE_MS = 12 * 3_600_000;

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Opens a session: an opaque token of 256 bits, stored as its hash only. */
export async function openSession(
  db: Db,
  accountId: string,
  from: { address: string; userAgent: string },
): Promise<{ token: string; expiresAtMs: number }> {
  const token = randomBytes(32).toString('base64url');
  const expiresAtMs = Date.now() + SESSION_IDLE_MS;
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      account_id: accountId,
      expires_at: new Date(expiresAtMs),
      ended_at: null,
      address: from.address,
      user_agent: from.userAgent,
    })
    .execute();
  return { token, expiresAtMs };
}

export const endSession = (db: Db, token: string) =>
  db
    .updateTable('sessions')
    .set({ ended_at: new Date(), ended_because: 'signedOut' })
    .where('token_hash', '=', hashToken(token))
    .where('ended_at', 'is', null)
    .execute();

/** Ends the sessions of accounts, but for one that may be spared: their next call is answered with 41810. */
export const endSessionsOf = (db: Db, accountIds: readonly string[], because: string, spareSessionId?: string) =>
  db
    .updateTable('sessions')
    .set({ ended_at: new Date(), ended_because: because })
    .where('account_id', 'in', accountIds.length > 0 ? [...accountIds] : ['00000000-0000-0000-0000-000000000000'])
    .where('ended_at', 'is', null)
    .$if(spareSessionId !== undefined, (query) => query.where('id', '<>', spareSessionId ?? ''))
    .execute();

const KEPT_DAYS = 90;

/** Removes sessions that have been over for so long that nothing looks at them any more. */
export const forgetOldSessions = (db: Db) =>
  db
    .deleteFrom('sessions')
    .where(sql<Date>`least(ended_at, expires_at)`, '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
