import type { list } from '@sonnenwarte/contract/burn-in/burn-in';
import { runStatesBefore, unitStatesBefore } from '@sonnenwarte/contract/burn-in/moves';
import type { runFields } from '@sonnenwarte/contract/burn-in/rows';
import { type Choice, MOST_CHOICES } from '@sonnenwarte/contract/choices';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import type { Choosing, PlanFacts } from './plans.store.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const count = (condition: ReturnType<typeof sql>) =>
  sql<number>`(select count(*)::int from burn_in_units u where u.run_id = burn_in_runs.id and ${condition})`;

const runs = (db: Db) =>
  db
    .selectFrom('burn_in_runs')
    .selectAll()
    .select([
      count(sql`true`).as('units'),
      count(sql`u.state in ('waiting', 'running')`).as('open'),
      count(sql`u.state = 'passed'`).as('passed'),
      count(sql`u.state = 'failed'`).as('failed'),
      count(sql`u.told_percent is not null and u.state not in ('waiting', 'running')`).as('limited'),
    ]);
export type StoredRun = Awaited<ReturnType<ReturnType<typeof runs>['execute']>>[number];

const sortKeys = {
  rack: sql`lower(burn_in_runs.rack)`,
  batch: sql`lower(burn_in_runs.batch)`,
  model: sql`lower(burn_in_runs.model)`,
  planName: sql`lower(burn_in_runs.plan_name)`,
  state: sql`burn_in_runs.state`,
  createdMs: sql`burn_in_runs.created_at`,
  startedMs: sql`burn_in_runs.started_at`,
  endedMs: sql`burn_in_runs.ended_at`,
} satisfies SortKeys<typeof runFields>;

/** Runs by what is written on them, by their number or by a serial number in them. */
export function runsFound(db: Db, { condition, sort, ...span }: Asked<typeof list>) {
  const { content, states = [], batchID } = condition;
  const number = content.replace(/^#/, '');
  const part = containing(content);
  const query = runs(db)
    .$if(content !== '', (some) =>
      some.where(
        sql<boolean>`(burn_in_runs.rack ilike ${part} or burn_in_runs.batch ilike ${part} or burn_in_runs.model ilike ${part}
          or burn_in_runs.plan_name ilike ${part} or burn_in_runs.number::text = ${number}
          or exists (select from burn_in_units u where u.run_id = burn_in_runs.id and u.sn = upper(${content})))`,
      ),
    )
    .$if(states.length > 0, (some) => some.where('state', 'in', states))
    .$if(batchID !== undefined, (some) => some.where('batch_id', '=', batchID ?? ''));
  const ordering = { key: sortKeys[sort.field], apart: [sql`burn_in_runs.id`], order: sort.order };
  return pageOf(query, ordering, span as Asked<typeof list>);
}

export const runChoices = (db: Db, { search, ids }: Choosing): Promise<Choice[]> =>
  db
    .selectFrom('burn_in_runs')
    .select([
      'id',
      sql<string>`'#' || number || ' · ' || rack`.as('name'),
      sql<string>`concat_ws(' · ', nullif(batch, ''), to_char(coalesce(started_at, created_at) at time zone 'UTC', 'YYYY-MM-DD'))`.as(
        'detail',
      ),
    ])
    .$if(search !== '', (some) =>
      some.where(
        sql<boolean>`('#' || number ilike ${containing(search)} or rack ilike ${containing(search)} or batch ilike ${containing(search)})`,
      ),
    )
    .$if(ids !== undefined, (some) => some.where(sql<boolean>`id = any(${ids ?? []}::uuid[])`))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(ids === undefined ? MOST_CHOICES : ids.length + 1)
    .execute();

export const runById = (db: Db, id: string) => runs(db).where('burn_in_runs.id', '=', id).executeTakeFirst();

/** Nothing else happens to the run until the end of the transaction. */
export const heldRun = (tx: Tx, id: string) =>
  tx.selectFrom('burn_in_runs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
export type HeldRun = NonNullable<Awaited<ReturnType<typeof heldRun>>>;

export interface NewRun {
  readonly planId: string;
  readonly plan: PlanFacts;
  readonly rack: string;
  readonly batchId: string | null;
  readonly batch: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly setsLoad: boolean;
  /** By position; empty where nothing stands on it. */
  readonly places: readonly string[];
  readonly at: Date;
}

export async function insertRun(tx: Tx, run: NewRun): Promise<{ id: string; number: number }> {
  const { plan } = run;
  const made = await tx
    .insertInto('burn_in_runs')
    .values({
      rack: run.rack,
      plan_id: run.planId,
      plan_name: plan.name,
      duration_minutes: plan.durationMinutes,
      steps: JSON.stringify(plan.steps),
      limits: JSON.stringify(plan.limits),
      batch_id: run.batchId,
      batch: run.batch,
      manufacturer: run.manufacturer,
      model: run.model,
      sets_load: run.setsLoad,
      created_at: run.at,
    })
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow();
  await sql`insert into burn_in_units (run_id, position, sn)
    select ${made.id}, place, sn from unnest(${[...run.places]}::text[]) with ordinality as told (sn, place) where sn <> ''`.execute(
    tx,
  );
  return made;
}

/** The first of these that is in a run which is not over. */
export const busyUnit = (db: Db, sns: readonly string[]) =>
  db
    .selectFrom('burn_in_units')
    .innerJoin('burn_in_runs', 'burn_in_runs.id', 'burn_in_units.run_id')
    .select(['burn_in_units.sn', 'burn_in_runs.number'])
    .where('burn_in_units.state', 'in', unitStatesBefore('abort'))
    .where(sql<boolean>`burn_in_units.sn = any(${[...sns]}::text[])`)
    .orderBy('burn_in_units.sn')
    .executeTakeFirst();

/** Those of these that were delivered in another batch, or whose device is of another model than the batch; by serial number. */
export async function strangersTo(db: Db, sns: readonly string[], batchId: string, model: string) {
  const { rows } = await sql<{ sn: string; is_other_batch: boolean }>`
    select told.sn, coalesce(u.batch_id <> ${batchId}::uuid, false) as is_other_batch
    from unnest(${[...sns]}::text[]) as told (sn)
      left join delivered_units u on u.sn = told.sn
      left join devices d on upper(d.sn) = told.sn and d.deleted_at is null
    where u.batch_id <> ${batchId}::uuid or (d.model <> '' and ${model} <> '' and lower(d.model) <> lower(${model}))
    order by told.sn`.execute(db);
  return rows;
}

/** The first of these that stands in a plant. */
export const unitInPlant = (db: Db, sns: readonly string[]) =>
  db
    .selectFrom('devices')
    .select('sn')
    .where('site_id', 'is not', null)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`upper(devices.sn) = any(${[...sns]}::text[])`)
    .orderBy('sn')
    .executeTakeFirst();

export const snsOf = async (db: Db, runId: string): Promise<string[]> =>
  (await db.selectFrom('burn_in_units').select('sn').where('run_id', '=', runId).execute()).map(({ sn }) => sn);

/** False where it has begun before. */
export async function startRun(tx: Tx, { id, duration_minutes }: HeldRun, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('burn_in_runs')
    .set({ state: 'running', started_at: at, ends_at: new Date(at.getTime() + duration_minutes * 60_000) })
    .where('id', '=', id)
    .where('state', 'in', runStatesBefore('start'))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await sql`update burn_in_units u set started_at = ${at}, attempt = 1 + (
      select count(*) from burn_in_units former
      where former.sn = u.sn and former.state in ('passed', 'failed') and former.run_id <> u.run_id)
    where u.run_id = ${id} and u.state = 'waiting'`.execute(tx);
  return true;
}

/** False where it is over. Units without a verdict end with it. */
export async function abortRun(tx: Tx, id: string, reason: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('burn_in_runs')
    .set({
      state: 'aborted',
      ended_at: at,
      started_at: sql<Date>`coalesce(started_at, ${at})`,
      abort_reason: reason,
    })
    .where('id', '=', id)
    .where('state', 'in', runStatesBefore('abort'))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tx
    .updateTable('burn_in_units')
    .set({ state: 'aborted', ended_at: at, measured: sql`coalesce(progress -> 'worst', '{}')` })
    .where('run_id', '=', id)
    .where('state', 'in', unitStatesBefore('abort'))
    .execute();
  return true;
}

export const finishRun = (tx: Tx, id: string, at: Date) =>
  tx
    .updateTable('burn_in_runs')
    .set({ state: 'finished', ended_at: at })
    .where('id', '=', id)
    .where('state', 'in', runStatesBefore('finish'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('burn_in_units')
            .select('burn_in_units.sn')
            .whereRef('burn_in_units.run_id', '=', 'burn_in_runs.id')
            .where('burn_in_units.state', 'in', unitStatesBefore('abort')),
        ),
      ),
    )
    .executeTakeFirst();

/** False where it has begun. */
export async function deleteRun(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('burn_in_runs')
    .where('id', '=', id)
    .where('state', '=', 'planned')
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Undefined where the run has no such unit; false where it has its verdict. */
export async function takeOff(
  tx: Tx,
  runId: string,
  sn: string,
  reason: string,
  at: Date,
): Promise<boolean | undefined> {
  const unit = await tx
    .selectFrom('burn_in_units')
    .select('position')
    .where('run_id', '=', runId)
    .where('sn', '=', sn)
    .executeTakeFirst();
  if (unit === undefined) return undefined;
  const { numUpdatedRows } = await tx
    .updateTable('burn_in_units')
    .set({
      state: 'removed',
      ended_at: at,
      remove_reason: reason,
      measured: sql`coalesce(progress -> 'worst', '{}')`,
    })
    .where('run_id', '=', runId)
    .where('position', '=', unit.position)
    .where('state', 'in', unitStatesBefore('remove'))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
