import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import type { ChargePoint } from './charge-points.store.ts';
import type { TransactionPart } from './pile-events.ts';
import { type MeterReading, mostPowerW } from './session-meter.ts';
import { closedByNext, energyOf, goingOn, interrupted, type SessionFacts, withPart } from './sessions.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type Row = Selectable<Database['charging_sessions']>;

/** Whose sessions they are, and how much it can give. */
export type Metered = Pick<ChargePoint, 'deviceId' | 'ratedPowerW' | 'mostCurrentA' | 'phases'>;

/** Of one pile, on whatever connectors. */
const MOST_RUNNING = 8;
/** Sessions by which a pile is known. */
const LATELY = 50;

const courseOf = (flat: readonly number[]): MeterReading[] =>
  Array.from({ length: flat.length >> 1 }, (_, place) => [flat[2 * place] ?? 0, flat[2 * place + 1] ?? 0]);

const factsOf = (row: Row): SessionFacts => ({
  transaction: row.transaction,
  connector: row.connector,
  beganMs: row.began_at.getTime(),
  beganWh: row.began_wh ?? undefined,
  course: courseOf(row.course),
  heardMs: row.heard_at.getTime(),
  endedMs: row.ended_at?.getTime(),
  reason: row.reason,
});

const rowOf = (pile: Metered, facts: SessionFacts) => ({
  device_id: pile.deviceId,
  transaction: facts.transaction,
  connector: facts.connector,
  began_at: new Date(facts.beganMs),
  began_wh: facts.beganWh ?? null,
  course: facts.course.flat(),
  heard_at: new Date(facts.heardMs),
  ended_at: facts.endedMs === undefined ? null : new Date(facts.endedMs),
  energy_wh: energyOf(facts, mostPowerW(pile)) ?? null,
  reason: facts.reason,
});

async function write(tx: Tx, pile: Metered, facts: SessionFacts): Promise<void> {
  const row = rowOf(pile, facts);
  await tx
    .insertInto('charging_sessions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['device_id', 'transaction']).doUpdateSet(row))
    .execute();
}

const rows = (db: Db, deviceId: string) =>
  db.selectFrom('charging_sessions').selectAll().where('device_id', '=', deviceId);

const openRows = (db: Db, deviceId: string) =>
  rows(db, deviceId).where('ended_at', 'is', null).orderBy('began_at', 'desc');

/** Sessions of a pile that run. */
export const runningSessions = async (db: Db, deviceId: string): Promise<SessionFacts[]> =>
  (await openRows(db, deviceId).limit(MOST_RUNNING).execute()).map(factsOf);

/** Connectors that had a session with a meter lately. */
export const meteredConnectors = async (db: Db, deviceId: string): Promise<number[]> => {
  const newest = await rows(db, deviceId)
    .where('energy_wh', '>', 0)
    .where('connector', '>', 0)
    .orderBy('began_at', 'desc')
    .limit(LATELY)
    .clearSelect()
    .select('connector')
    .execute();
  return [...new Set(newest.map(({ connector }) => connector))];
};

/** One after the other, whatever connections a pile has. */
const held = <T>(db: Db, deviceId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    await tx.selectFrom('charge_points').select('device_id').where('device_id', '=', deviceId).forUpdate().execute();
    return work(tx);
  });

/** Ends the sessions that run, of one connector or of all, with what was heard of them last. */
export const endRunning = (db: Db, pile: Metered, fits: (facts: SessionFacts) => boolean): Promise<void> =>
  held(db, pile.deviceId, async (tx) => {
    const open = (await openRows(tx, pile.deviceId).execute()).map(factsOf);
    for (const facts of open.filter(fits)) await write(tx, pile, interrupted(facts));
  });

/** After a session is added: at most the newest of each connector runs, and no more than a pile can have. */
async function settle(tx: Tx, pile: Metered): Promise<void> {
  const open = (await openRows(tx, pile.deviceId).execute()).map(factsOf);
  if (open.length === 0) return;
  for (const [place, facts] of open.entries()) {
    const next = await rows(tx, pile.deviceId)
      .where('connector', '=', facts.connector)
      .where('began_at', '>=', new Date(facts.beganMs))
      .where('transaction', '<>', facts.transaction)
      .orderBy('began_at')
      .limit(1)
      .executeTakeFirst();
    const isSame = next !== undefined && next.began_at.getTime() === facts.beganMs;
    const isNewer = isSame && open.findIndex(({ transaction }) => transaction === next.transaction) > place;
    if (next !== undefined && !isNewer) {
      const { beganMs, beganWh } = factsOf(next);
      await write(tx, pile, closedByNext(facts, { tsMs: beganMs, wh: beganWh }, mostPowerW(pile)));
    } else if (place >= MOST_RUNNING) await write(tx, pile, interrupted(facts));
  }
}

/**
 * Begins a session to which the portal gives the number. A beginning that is told again, since its answer never arrived, is the same
 * session; where its clock is wrong, as long as its meter stands. One on the same connector that never told its end has ended by now.
 */
export const beginSession = (
  db: Db,
  pile: Metered,
  { connector, tsMs, isUndated, wh }: { connector: number; tsMs: number; isUndated: boolean; wh: number | undefined },
): Promise<SessionFacts> =>
  held(db, pile.deviceId, async (tx) => {
    const alike = rows(tx, pile.deviceId)
      .where('connector', '=', connector)
      .where(sql<boolean>`began_wh is not distinct from ${wh ?? null}::float8`);
    const known = await (isUndated
      ? alike.where('ended_at', 'is', null).where('energy_wh', '=', 0).orderBy('began_at', 'desc').limit(1)
      : alike.where('began_at', '=', new Date(tsMs))
    ).executeTakeFirst();
    if (known !== undefined) return factsOf(known);
    const { rows: numbers } = await sql<{
      number: number;
    }>`select nextval('charging_transactions')::int as number`.execute(tx);
    const facts = withPart(undefined, String(numbers[0]?.number), {
      transaction: undefined,
      connector,
      began: { tsMs, wh },
      readings: [],
    });
    await write(tx, pile, facts);
    await settle(tx, pile);
    return facts;
  });

/** Keeps a part of a session; undefined where it is of one that nobody knows and that says nothing of itself. */
export const keepPart = (
  db: Db,
  pile: Metered,
  part: TransactionPart,
  nowMs: number,
): Promise<SessionFacts | undefined> =>
  held(db, pile.deviceId, async (tx) => {
    const known =
      part.transaction === undefined
        ? await openRows(tx, pile.deviceId).limit(1).executeTakeFirst()
        : await rows(tx, pile.deviceId).where('transaction', '=', part.transaction).executeTakeFirst();
    const transaction = known?.transaction ?? part.transaction;
    const isEmpty = part.began === undefined && part.ended === undefined && part.readings.length === 0;
    if (transaction === undefined || (known === undefined && (isEmpty || part.isNumberedHere === true)))
      return undefined;
    const before = known && factsOf(known);
    const facts = goingOn(withPart(before, transaction, part), nowMs);
    await write(tx, pile, facts);
    const isRunningAnew = facts.endedMs === undefined && (before === undefined || before.endedMs !== undefined);
    if (before !== undefined && !isRunningAnew) return facts;
    await settle(tx, pile);
    const kept = await rows(tx, pile.deviceId).where('transaction', '=', transaction).executeTakeFirstOrThrow();
    return factsOf(kept);
  });
