import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { until } from './edge.ts';

type Db = Kysely<Database>;

async function waiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A call that was made while rows were held. */
export interface CallMeanwhile<T> {
  readonly answer: Promise<T>;
}

/** Makes a call while rows are held and comes back once it waits for one of them, or is answered without. */
export async function callInto<T>(db: Db, call: () => Promise<T>): Promise<CallMeanwhile<T>> {
  const before = await waiting(db);
  let isOver = false;
  const answer = call().finally(() => {
    isOver = true;
  });
  await until(async () => isOver || (await waiting(db)) > before, 'a call that waits for a row');
  return { answer };
}

/** Changes rows in a transaction that commits only once the call waits for one of them, or is answered without. */
export async function changedDuring<T>(
  db: Db,
  change: (tx: Transaction<Database>) => Promise<unknown>,
  call: () => Promise<T>,
): Promise<T> {
  const { answer } = await db.transaction().execute(async (tx) => {
    await change(tx);
    return callInto(db, call);
  });
  return answer;
}
