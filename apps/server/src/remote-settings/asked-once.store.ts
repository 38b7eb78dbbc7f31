import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';

interface Asked {
  readonly accountId: string;
  /** Undefined: whoever asks gives it none. */
  readonly requestID: string | undefined;
  readonly content: unknown;
}

const hashOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('base64');

/**
 * Makes what somebody asks for under an id of their own once, and answers what was made whenever it comes again; another content under the same id is
 * refused. Who comes while it is being made waits for it; what is refused was not made.
 */
export async function askedOnce(
  tx: Transaction<Database>,
  { accountId, requestID, content }: Asked,
  make: () => Promise<string>,
): Promise<string> {
  if (requestID === undefined) return make();
  const key = { account_id: accountId, request_id: requestID };
  const hash = hashOf(content);
  const fresh = await tx
    .insertInto('requests_done')
    .values({ ...key, hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst();
  if (fresh === undefined) {
    const done = await tx
      .selectFrom('requests_done')
      .select(['hash', 'answer'])
      .where((eb) => eb.and(key))
      .executeTakeFirstOrThrow();
    if (done.hash === hash) return done.answer;
    throw new CallError('refusedInput', { fields: [{ path: 'requestID', reason: 'taken', params: {} }] });
  }
  const answer = await make();
  await tx
    .updateTable('requests_done')
    .set({ answer })
    .where((eb) => eb.and(key))
    .execute();
  return answer;
}

/** Takes away what was asked before a time; nobody waits for its answer any more. */
export const forgetAsked = (db: Kysely<Database>, before: Date) =>
  db.deleteFrom('requests_done').where('asked_at', '<', before).execute();
