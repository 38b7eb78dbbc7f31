import type { planList } from '@sonnenwarte/contract/burn-in/burn-in';
import type { BurnInLimits, LoadStep } from '@sonnenwarte/contract/burn-in/plan';
import type { planFields } from '@sonnenwarte/contract/burn-in/rows';
import { type Choice, MOST_CHOICES } from '@sonnenwarte/contract/choices';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

export interface Choosing {
  readonly search: string;
  readonly ids?: string[] | undefined;
}

const runsOf = sql<number>`(select count(*)::int from burn_in_runs where burn_in_runs.plan_id = burn_in_plans.id)`;

const plans = (db: Db) => db.selectFrom('burn_in_plans').selectAll().select(runsOf.as('runs'));
export type StoredPlan = Awaited<ReturnType<ReturnType<typeof plans>['execute']>>[number];

const sortKeys = {
  name: sql`lower(burn_in_plans.name)`,
  runs: runsOf,
  changedMs: sql`burn_in_plans.changed_at`,
} satisfies SortKeys<typeof planFields>;

export function plansFound(db: Db, { condition: { content }, sort, ...span }: Asked<typeof planList>) {
  const query = plans(db).$if(content !== '', (some) => some.where('name', 'ilike', containing(content)));
  const ordering = { key: sortKeys[sort.field], apart: [sql`burn_in_plans.id`], order: sort.order, isKnown: true };
  return pageOf(query, ordering, span as Asked<typeof planList>);
}

export const planChoices = (db: Db, { search, ids }: Choosing): Promise<Choice[]> =>
  db
    .selectFrom('burn_in_plans')
    .select(['id', 'name', sql<string>`''`.as('detail')])
    .$if(search !== '', (some) => some.where('name', 'ilike', containing(search)))
    .$if(ids !== undefined, (some) => some.where(sql<boolean>`id = any(${ids ?? []}::uuid[])`))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(ids === undefined ? MOST_CHOICES : ids.length + 1)
    .execute();

export const planById = (db: Db, id: string) =>
  db.selectFrom('burn_in_plans').selectAll().where('id', '=', id).executeTakeFirst();
export const heldPlan = (tx: Tx, id: string) =>
  tx.selectFrom('burn_in_plans').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export interface PlanFacts {
  readonly name: string;
  readonly durationMinutes: number;
  readonly steps: LoadStep[];
  readonly limits: BurnInLimits;
}

const columnsOf = ({ name, durationMinutes, steps, limits }: PlanFacts) => ({
  name,
  duration_minutes: durationMinutes,
  steps: JSON.stringify(steps),
  limits: JSON.stringify(limits),
});

/** Nobody adds a plan until the end of the transaction. */
export const holdPlans = (tx: Tx) =>
  sql`select pg_advisory_xact_lock(hashtextextended('burn-in plans', 0))`.execute(tx);

export const countPlans = async (tx: Tx): Promise<number> =>
  (await tx.selectFrom('burn_in_plans').select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()).count;

export async function insertPlan(tx: Tx, facts: PlanFacts, at: Date): Promise<string> {
  const { id } = await tx
    .insertInto('burn_in_plans')
    .values({ ...columnsOf(facts), changed_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Runs that have not begun follow. */
export async function updatePlan(tx: Tx, id: string, facts: PlanFacts, at: Date): Promise<void> {
  const { name, ...columns } = columnsOf(facts);
  await tx
    .updateTable('burn_in_plans')
    .set({ name, ...columns, changed_at: at })
    .where('id', '=', id)
    .execute();
  await tx
    .updateTable('burn_in_runs')
    .set({ plan_name: name, ...columns })
    .where('plan_id', '=', id)
    .where('state', '=', 'planned')
    .execute();
}

export const deletePlan = (tx: Tx, id: string) => tx.deleteFrom('burn_in_plans').where('id', '=', id).execute();

/** Batches of inverters. */
export const batchChoices = (db: Db, { search, ids }: Choosing): Promise<Choice[]> =>
  db
    .selectFrom('device_batches')
    .innerJoin('manufacturers', 'manufacturers.id', 'device_batches.manufacturer_id')
    .select([
      'device_batches.id',
      'device_batches.number as name',
      sql<string>`manufacturers.name || ' · ' || device_batches.model`.as('detail'),
    ])
    .where('device_batches.kind', '=', 'inverter')
    .$if(search !== '', (some) =>
      some.where((eb) =>
        eb.or([
          eb('device_batches.number', 'ilike', containing(search)),
          eb('device_batches.model', 'ilike', containing(search)),
          eb('manufacturers.name', 'ilike', containing(search)),
        ]),
      ),
    )
    .$if(ids !== undefined, (some) => some.where(sql<boolean>`device_batches.id = any(${ids ?? []}::uuid[])`))
    .orderBy(sql`lower(device_batches.number)`)
    .orderBy('device_batches.id')
    .limit(ids === undefined ? MOST_CHOICES : ids.length + 1)
    .execute();

export const batchById = (db: Db, id: string) =>
  db
    .selectFrom('device_batches')
    .innerJoin('manufacturers', 'manufacturers.id', 'device_batches.manufacturer_id')
    .select(['device_batches.number', 'device_batches.model', 'manufacturers.name as manufacturer'])
    .where('device_batches.id', '=', id)
    .where('device_batches.kind', '=', 'inverter')
    .executeTakeFirst();
