import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

const DEADLOCK_DETECTED = '40P01';
const MOST_TRIES = 3;

/**
 * Runs a transaction, once more where PostgreSQL ended it to break a deadlock: then the other one went first. The work
 * reads within the transaction whatever it decides by.
 */
export async function inTransaction<T>(
  db: Kysely<Database>,
  work: (tx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (tries === MOST_TRIES || (error as { code?: unknown }).code !== DEADLOCK_DETECTED) throw error;
    }
  }
}
