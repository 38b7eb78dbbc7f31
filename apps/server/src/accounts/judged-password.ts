import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { forgetFailures, noteFailure, signInKeys, waitMsOf } from '../attempts/attempts.store.ts';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';
import { KeyedGate } from './keyed-gate.ts';
import { fitsPassword, hashing } from './passwords.ts';

type Db = Kysely<Database>;

const refused = (path: string, reason: string) =>
  new CallError('refusedInput', { fields: [{ path, reason, params: {} }] });

const gate = new KeyedGate(1);

/** Lets one call at a time judge the password of an account that is signed in; refuses while too many passwords wait. */
export async function judging<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  hashing.assertRoom();
  return gate.run(accountId, work);
}

/** Refuses the field of a password that is missing or not the account's; guessing it is delayed as at the sign-in. */
export async function assertPassword(
  db: Db,
  account: { readonly id: string; readonly password_hash: string },
  { md5, field }: { md5: string | undefined; field: string },
): Promise<void> {
  if (md5 === undefined) throw refused(field, 'required');
  const { account: key } = signInKeys(`password of ${account.id}`, '');
  const waitMs = await waitMsOf(db, [key]);
  if (waitMs > 0) throw new CallError('tryLater', { retryAfterMs: waitMs });
  if (await fitsPassword(md5, account.password_hash)) {
    await forgetFailures(db, [key]);
    return;
  }
  await noteFailure(db, [key]);
  throw refused(field, 'wrong');
}

/**
 * Holds the row of the signed-in account until the transaction ends and answers its password's hash. Refuses where the
 * session has ended since the call was admitted: somebody in charge has taken the account out of the caller's hands.
 */
export async function holdSignedIn(tx: Transaction<Database>, actor: Actor): Promise<string> {
  const account = await tx
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', actor.accountId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  // Asked once the row is held: whoever sets a password ends the sessions in the same transaction.
  const session = await tx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', actor.sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (account === undefined || session === undefined) throw new CallError('sessionEnded');
  return account.password_hash;
}

/** The same, and refuses where the account's password is no longer the one that was judged. */
export async function holdJudged(tx: Transaction<Database>, actor: Actor, passwordHash: string): Promise<void> {
  if ((await holdSignedIn(tx, actor)) !== passwordHash) throw new CallError('sessionEnded');
}
