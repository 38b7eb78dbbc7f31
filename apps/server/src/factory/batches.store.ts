import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import type { batchChoices, batchFields, batchList } from '@sonnenwarte/contract/factory/batches';
import type { UnitKind } from '@sonnenwarte/contract/factory/factory-words';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { UNITS_AT_ONCE } from './reckoning.store.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const sortKeys = {
  number: sql`lower(device_batches.number)`,
  manufacturer: sql`lower(manufacturers.name)`,
  kind: sql`device_batches.kind`,
  model: sql`lower(device_batches.model)`,
  madeOn: sql`device_batches.made_on`,
  deliveredOn: sql`device_batches.delivered_on`,
} satisfies SortKeys<typeof batchFields>;

const named = (text: string) => {
  const pattern = containing(text);
  return sql<SqlBool>`(device_batches.number ilike ${pattern} or device_batches.model ilike ${pattern} or manufacturers.name ilike ${pattern})`;
};

const batches = (db: Db) =>
  db.selectFrom('device_batches').innerJoin('manufacturers', 'manufacturers.id', 'device_batches.manufacturer_id');

export function batchesFound(db: Db, { condition, sort, ...span }: Asked<typeof batchList>) {
  const { content, kind, manufacturerID, batchID } = condition;
  const query = batches(db)
    .selectAll('device_batches')
    .select('manufacturers.name as manufacturer')
    .$if(content !== '', (some) => some.where(named(content)))
    .$if(kind !== undefined, (some) => some.where('device_batches.kind', '=', kind as UnitKind))
    .$if(manufacturerID !== undefined, (some) =>
      some.where('device_batches.manufacturer_id', '=', manufacturerID as string),
    )
    .$if(batchID !== undefined, (some) => some.where('device_batches.id', '=', batchID as string));
  const ordering = { key: sortKeys[sort.field], apart: [sql`device_batches.id`], order: sort.order };
  return pageOf(query, ordering, span as Asked<typeof batchList>);
}

export type StoredBatch = Awaited<ReturnType<typeof batchesFound>>['rows'][number];

export interface BatchCounts {
  readonly id: string;
  readonly units: number;
  readonly seen: number;
  /** Delivered, and not heard of. */
  readonly never_seen: number;
  readonly half_seen_days: number | null;
  readonly troubled: number;
  /** Burn-in runs that name it. */
  readonly runs: number;
}

/** Of units that were never seen, in place of their days. */
const NEVER = 1_000_000;
/** From this level on an alarm is more than a note. */
const ALARM = 2;

/** What became of the units of batches, by their ids. */
export async function countsOfBatches(
  db: Db,
  ids: readonly string[],
  today: string,
): Promise<ReadonlyMap<string, BatchCounts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<BatchCounts>`
    with troubled as (
      select u.batch_id, count(distinct u.sn)::int as units from alarms a
      join delivered_units u on u.thing_id = coalesce(a.device_id, a.logger_id)
      where a.until is null and a.level >= ${ALARM} and u.batch_id = any(${ids}::uuid[]) group by u.batch_id)
    select b.id, of.units, of.seen, of.never_seen, (select count(*)::int from burn_in_runs r where r.batch_id = b.id) as runs, nullif(of.half_days, ${NEVER}::integer) as half_seen_days, coalesce(t.units, 0) as troubled
    from unnest(${ids}::uuid[]) b (id)
    cross join lateral (
      select count(*)::int as units, count(seen_at)::int as seen,
        count(*) filter (where seen_at is null and coalesce(delivered_on <= ${today}::date, true))::int as never_seen,
        (percentile_disc(0.5) within group (order by case when seen_at is null then ${NEVER}::integer
          else greatest(0, (seen_at at time zone 'UTC')::date - delivered_on) end)
          filter (where delivered_on is not null))::int as half_days
      from delivered_units where batch_id = b.id) of
    left join troubled t on t.batch_id = b.id`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export const batchesToChoose = (db: Db, { search, ids }: Parsed<typeof batchChoices>) =>
  batches(db)
    .select([
      'device_batches.id',
      'device_batches.number as name',
      sql<string>`concat_ws(' · ', manufacturers.name, device_batches.model)`.as('detail'),
    ])
    .where(ids === undefined ? named(search) : sql<SqlBool>`device_batches.id = any(${ids}::uuid[])`)
    .orderBy(sql`device_batches.delivered_on desc nulls last`)
    .orderBy('device_batches.number')
    .limit(ids === undefined ? MOST_CHOICES : ids.length)
    .execute();

export const batchForChange = (tx: Tx, id: string) =>
  tx.selectFrom('device_batches').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export const batchById = (db: Db, id: string) =>
  db.selectFrom('device_batches').selectAll().where('id', '=', id).executeTakeFirst();

export const countUnits = async (tx: Tx, batchId: string): Promise<number> =>
  (
    await tx
      .selectFrom('delivered_units')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('batch_id', '=', batchId)
      .executeTakeFirstOrThrow()
  ).count;

export const countRuns = async (tx: Tx, batchId: string): Promise<number> =>
  (
    await tx
      .selectFrom('burn_in_runs')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('batch_id', '=', batchId)
      .executeTakeFirstOrThrow()
  ).count;

export const hasUnits = async (tx: Tx, batchId: string): Promise<boolean> =>
  (await tx.selectFrom('delivered_units').select('sn').where('batch_id', '=', batchId).limit(1).executeTakeFirst()) !==
  undefined;

export const countBatches = async (tx: Tx): Promise<number> =>
  (await tx.selectFrom('device_batches').select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow())
    .count;

export interface BatchFacts {
  readonly manufacturer_id: string;
  readonly number: string;
  readonly kind: UnitKind;
  readonly model: string;
  readonly firmware: string;
  readonly made_on: string | null;
  readonly delivered_on: string | null;
  readonly note: string;
}

export const insertBatch = async (tx: Tx, facts: BatchFacts): Promise<string> =>
  (await tx.insertInto('device_batches').values(facts).returning('id').executeTakeFirstOrThrow()).id;

export const updateBatch = (tx: Tx, id: string, facts: BatchFacts) =>
  tx.updateTable('device_batches').set(facts).where('id', '=', id).execute();

export async function deleteUnitsOf(tx: Tx, batchId: string): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from delivered_units where sn in (
      select sn from delivered_units where batch_id = ${batchId} limit ${UNITS_AT_ONCE})`.execute(tx);
    if (numAffectedRows < BigInt(UNITS_AT_ONCE)) return;
  }
}

export const deleteBatch = (tx: Tx, id: string) => tx.deleteFrom('device_batches').where('id', '=', id).execute();
