import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import type { TransactionPart } from './pile-events.ts';
import { closedByNext, energyOf, type SessionFacts, withPart } from './sessions.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type Row = Selectable<Database['charging_sessions']>;

const factsOf = (row: Row): SessionFacts => ({
  transaction: row.transaction,
  connector: row.connector,
  beganMs: row.began_at.getTime(),
  beganWh: row.began_wh ?? undefined,
  leastWh: row.least_wh ?? undefined,
  mostWh: row.most_wh ?? undefined,
  heardMs: row.heard_at.getTime(),
  endedMs: row.ended_at?.getTime(),
  endedWh: row.ended_wh ?? undefined,
  reason: row.reason,
});

const rowOf = (deviceId: string, facts: SessionFacts) => ({
  device_id: deviceId,
  transaction: facts.transaction,
  connector: facts.connector,
  began_at: new Date(facts.beganMs),
  began_wh: facts.beganWh ?? null,
  least_wh: facts.leastWh ?? null,
  most_wh: facts.mostWh ?? null,
  heard_at: new Date(facts.heardMs),
  ended_at: facts.endedMs === undefined ? null : new Date(facts.endedMs),
  ended_wh: facts.endedWh ?? null,
  energy_wh: energyOf(facts),
  reason: facts.reason,
});

async function write(tx: Tx, deviceId: string, facts: SessionFacts): Promise<void> {
  const row = rowOf(deviceId, facts);
  await tx
    .insertInto('charging_sessions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['device_id', 'transaction']).doUpdateSet(row))
    .execute();
}

const rows = (db: Db, deviceId: string) =>
  db.selectFrom('charging_sessions').selectAll().where('device_id', '=', deviceId);

/** The session that runs; the newest, where several never told their end. */
export async function runningSession(db: Db, deviceId: string): Promise<SessionFacts | undefined> {
  const row = await rows(db, deviceId)
    .where('ended_at', 'is', null)
    .orderBy('began_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && factsOf(row);
}

/** One after the other, whatever connections a pile has. */
const held = <T>(db: Db, deviceId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    await tx.selectFrom('charge_points').select('device_id').where('device_id', '=', deviceId).forUpdate().execute();
    return work(tx);
  });

/**
 * Begins a session to which the portal gives the number. A beginning that is told again, since its answer never arrived, is the same
 * session. One on the same connector that never told its end has ended by now.
 */
export const beginSession = (
  db: Db,
  deviceId: string,
  { connector, tsMs, wh }: { connector: number; tsMs: number; wh: number | undefined },
): Promise<SessionFacts> =>
  held(db, deviceId, async (tx) => {
    const known = await rows(tx, deviceId)
      .where('connector', '=', connector)
      .where('began_at', '=', new Date(tsMs))
      .where(sql<boolean>`began_wh is not distinct from ${wh ?? null}::float8`)
      .executeTakeFirst();
    if (known !== undefined) return factsOf(known);
    const open = await rows(tx, deviceId)
      .where('connector', '=', connector)
      .where('ended_at', 'is', null)
      .where('began_at', '<=', new Date(tsMs))
      .execute();
    for (const each of open) await write(tx, deviceId, closedByNext(factsOf(each), { tsMs, wh }));
    const { rows: numbers } = await sql<{
      number: number;
    }>`select nextval('charging_transactions')::int as number`.execute(tx);
    const facts = withPart(undefined, String(numbers[0]?.number), {
      transaction: undefined,
      connector,
      began: { tsMs, wh },
      readings: [],
    });
    await write(tx, deviceId, facts);
    return facts;
  });

/** Keeps a part of a session; undefined where it is of one that nobody knows and that says nothing of itself. */
export const keepPart = (db: Db, deviceId: string, part: TransactionPart): Promise<SessionFacts | undefined> =>
  held(db, deviceId, async (tx) => {
    const ofIt = rows(tx, deviceId);
    const known =
      part.transaction === undefined
        ? await ofIt.where('ended_at', 'is', null).orderBy('began_at', 'desc').limit(1).executeTakeFirst()
        : await ofIt.where('transaction', '=', part.transaction).executeTakeFirst();
    const transaction = known?.transaction ?? part.transaction;
    const isEmpty = part.began === undefined && part.ended === undefined && part.readings.length === 0;
    if (transaction === undefined || (known === undefined && isEmpty)) return undefined;
    const facts = withPart(known && factsOf(known), transaction, part);
    if (known === undefined && part.began !== undefined) {
      const open = await ofIt
        .where('connector', '=', part.connector)
        .where('ended_at', 'is', null)
        .where('began_at', '<=', new Date(facts.beganMs))
        .execute();
      for (const each of open) await write(tx, deviceId, closedByNext(factsOf(each), part.began));
    }
    await write(tx, deviceId, facts);
    return facts;
  });
