import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Units that one statement reckons; more would keep devices waiting that are first heard meanwhile. */
export const UNITS_AT_ONCE = 2_000;

/** What a batch said of its units before it was changed. */
export interface FormerBatch {
  readonly model: string;
  readonly firmware: string;
  readonly deliveredOn: string | null;
}

const due = (condition: RawBuilder<SqlBool>, after: string) => sql`due as materialized (
  select sn from delivered_units where ${condition} and sn > ${after} order by sn limit ${UNITS_AT_ONCE})`;

interface Slice {
  readonly last: string | null;
  readonly units: number;
}

/** Writes units; answers the last of them, or undefined where none is left behind it. */
async function written(db: Db, found: RawBuilder<unknown>, update: RawBuilder<unknown>): Promise<string | undefined> {
  const { rows } = await sql<Slice>`with ${found}, written as (${update} returning u.sn)
    select max(sn) as last, count(*)::int as units from written`.execute(db);
  const { last = null, units = 0 } = rows[0] ?? {};
  return last === null || units < UNITS_AT_ONCE ? undefined : last;
}

/** Reckons the warranties of units of a model anew, of as many as one statement may, behind a serial number; answers after which to go on. */
export const reckonModel = (db: Db, model: string, after: string): Promise<string | undefined> =>
  written(
    db,
    due(sql<SqlBool>`lower(model) = lower(${model})`, after),
    sql`update delivered_units u set sn = u.sn from due where u.sn = due.sn`,
  );

/** Units that had what their batch said have what it says now; answers after which to go on. */
export const followBatch = (db: Db, batchId: string, former: FormerBatch, after: string): Promise<string | undefined> =>
  written(
    db,
    due(sql<SqlBool>`batch_id = ${batchId}`, after),
    sql`update delivered_units u set
        model = case when lower(u.model) = lower(${former.model}) then b.model else u.model end,
        firmware = case when u.firmware = ${former.firmware} then b.firmware else u.firmware end,
        delivered_on = case when u.delivered_on is not distinct from ${former.deliveredOn}::date then b.delivered_on
          else u.delivered_on end
      from due, device_batches b where u.sn = due.sn and b.id = u.batch_id`,
  );

/**
 * Finds the devices of units that were imported while these were first heard: neither of the two transactions saw what the other wrote.
 */
export const settleBatch = (db: Db, batchId: string) =>
  sql`update delivered_units u set sn = u.sn where batch_id = ${batchId} and thing_id is null and (
    exists (select from devices d where upper(d.sn) collate "C" = u.sn and d.deleted_at is null)
    or exists (select from loggers l where l.sn = u.sn))`.execute(db);

/** Puts a job into the queue that waits until whatever was under way has ended. */
export const settleLater = (db: Db, batchId: string) =>
  sql`select graphile_worker.add_job('factory.settle', ${JSON.stringify({ batchId })}::json, run_at => now() + interval '1 minute')`.execute(
    db,
  );
