import { createHash, randomBytes } from 'node:crypto';
import { isLevel } from '@sonnenwarte/contract/levels';
import { type Kysely, sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { codesOfLevel } from '../access/codes.ts';
import { CallError } from '../http/call-error.ts';
import type { FindActor } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** A session ends this long after its last use. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
const touchEveryMs = 60_000;

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
    .set({ ended_at: new Date() })
    .where('token_hash', '=', hashToken(token))
    .where('ended_at', 'is', null)
    .execute();

/** Finds who a token belongs to: 41808 expired, 41809 not valid, 41810 ended elsewhere. */
export const sessionActors =
  (db: Db): FindActor =>
  async (token) => {
    if (token === '') throw new CallError('tokenInvalid');
    const tokenHash = hashToken(token);
    const session = await db
      .selectFrom('sessions')
      .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
      .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
      .select([
        'sessions.expires_at',
        'sessions.ended_at',
        'sessions.last_seen_at',
        'accounts.id',
        'accounts.username',
        'accounts.level',
        'accounts.organisation_id',
        'accounts.disabled_at',
        'accounts.deleted_at',
        'organisations.disabled_at as organisation_disabled_at',
      ])
      .where('sessions.token_hash', '=', tokenHash)
      .executeTakeFirst();
    if (!session || !isLevel(session.level)) throw new CallError('tokenInvalid');
    if (session.ended_at || session.disabled_at || session.deleted_at || session.organisation_disabled_at) {
      throw new CallError('sessionEnded');
    }
    const nowMs = Date.now();
    if (session.expires_at.getTime() <= nowMs) throw new CallError('tokenExpired');
    if (nowMs - session.last_seen_at.getTime() > touchEveryMs) {
      await db
        .updateTable('sessions')
        .set({ last_seen_at: sql`now()`, expires_at: new Date(nowMs + SESSION_IDLE_MS) })
        .where('token_hash', '=', tokenHash)
        .where('ended_at', 'is', null)
        .execute();
    }
    const actor: Actor = {
      accountId: session.id,
      username: session.username,
      level: session.level,
      organisationId: session.organisation_id,
      codes: codesOfLevel(session.level),
    };
    return actor;
  };
