import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { FAILURE_WINDOW_MS, networkOf, waitAfter } from './attempts.states.ts';

type Db = Kysely<Database>;

/** Names are hashed: what people type into the field of the user name is at times their password. */
const keyOf = (kind: string, name: string): Buffer => createHash('sha256').update(`${kind}:${name}`).digest();

/**
 * What failed sign-ins are counted by; of the account only the name that was typed, so that nothing tells which exist. From
 * a network that it is known from they count for themselves, apart from those of strangers.
 */
export const signInKeys = (user: string, address: string, isKnown = false): { account: Buffer; address: Buffer } => ({
  account: isKnown
    ? keyOf('signIn.known', `${user.toLowerCase()} ${networkOf(address)}`)
    : keyOf('signIn.account', user.toLowerCase()),
  address: keyOf('signIn.address', networkOf(address)),
});

const window = (ms: number) => sql<Date>`now() - make_interval(secs => ${ms / 1000})`;

/** Milliseconds until the next try is taken; 0 when it is taken now. The clock is the database's, for all processes. */
export async function waitMsOf(db: Db, keys: readonly Buffer[]): Promise<number> {
  const rows = await db
    .selectFrom('attempts')
    .select(['count', sql<number>`(extract(epoch from now() - last_at) * 1000)::float8`.as('age_ms')])
    .where('key', 'in', [...keys])
    .execute();
  return Math.max(0, ...rows.map(({ count, age_ms }) => waitAfter(count, Math.max(0, age_ms))));
}

/** Counts a failure; one that is older than the window before it is forgotten. */
export async function noteFailure(db: Db, keys: readonly Buffer[]): Promise<void> {
  const sorted = [...keys].sort(Buffer.compare);
  await db
    .insertInto('attempts')
    .values(sorted.map((key) => ({ key, count: 1 })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when attempts.last_at < ${window(FAILURE_WINDOW_MS)} then 1 else attempts.count + 1 end`,
        last_at: sql`now()`,
      }),
    )
    .execute();
}

export const forgetFailures = (db: Db, keys: readonly Buffer[]) =>
  db
    .deleteFrom('attempts')
    .where('key', 'in', [...keys])
    .execute();

export interface Rate {
  /** What is counted, e.g. `signUp`. */
  readonly kind: string;
  readonly most: number;
  readonly windowMs: number;
}

/** Counts a call for a name or an address; answers 0, or the milliseconds until the next one is taken. */
export async function takeOf(db: Db, rate: Rate, name: string): Promise<number> {
  const isOver = sql<boolean>`attempts.first_at < ${window(rate.windowMs)}`;
  const { count, left_ms } = await db
    .insertInto('attempts')
    .values({ key: keyOf(rate.kind, name), count: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when ${isOver} then 1 else attempts.count + 1 end`,
        first_at: sql`case when ${isOver} then now() else attempts.first_at end`,
        last_at: sql`now()`,
      }),
    )
    .returning([
      'count',
      sql<number>`${rate.windowMs} - (extract(epoch from now() - first_at) * 1000)::float8`.as('left_ms'),
    ])
    .executeTakeFirstOrThrow();
  return count > rate.most ? Math.max(1, Math.ceil(left_ms)) : 0;
}

/** Removes what counts no more. */
export const forgetOldAttempts = (db: Db) =>
  db.deleteFrom('attempts').where('last_at', '<', sql<Date>`now() - interval '1 day'`).execute();
