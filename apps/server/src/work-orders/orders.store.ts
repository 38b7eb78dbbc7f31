import { openStates } from '@sonnenwarte/contract/work-orders/order-states';
import type { workOrderFields } from '@sonnenwarte/contract/work-orders/work-order';
import { type list, MOST_ORDERS_COUNTED, type OrderView } from '@sonnenwarte/contract/work-orders/work-orders';
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { actsForOrganisation, type Scope, workOrderIsVisible } from '../access/scope.ts';
import { type Asked, containing, pageOf, type SortKeys, upTo, withRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { internalIsRead, type Reader } from './internal.ts';

type Db = Kysely<Database>;
type Input = Asked<typeof list>;

/** Who asks, and what a part of the list depends on. */
export interface Asker extends Reader {
  readonly nowMs: number;
}

export const visibleOrders = (scope: Scope): Expression<SqlBool> =>
  workOrderIsVisible(scope)(expressionBuilder<Database, 'work_orders'>());

const isOpen = sql<SqlBool>`work_orders.state in (${sql.join(openStates.map((state) => sql.lit(state)))})`;

function inView(view: OrderView, { accountId, nowMs }: Asker): Expression<SqlBool> {
  switch (view) {
    case 'open':
      return isOpen;
    case 'mine':
      return sql<SqlBool>`${isOpen} and work_orders.assignee_id = ${accountId}`;
    case 'late':
      return sql<SqlBool>`${isOpen} and work_orders.due_at < ${new Date(nowMs)}`;
    case 'waiting':
      return sql<SqlBool>`${isOpen} and work_orders.waiting`;
    case 'done':
      return sql<SqlBool>`work_orders.state in ('solved', 'closed')`;
    case 'all':
      return sql<SqlBool>`true`;
  }
}

/** The text is in title or number, or in the name of the plant or of whoever asked: as a list of ids, each part by its own index. */
function containsText(content: string): Expression<SqlBool> {
  const pattern = containing(content);
  return sql<SqlBool>`work_orders.id in (
    select found.id from work_orders as found where found.title ilike ${pattern}
    union all select found.id from work_orders as found where found.number ilike ${pattern}
    union all select found.id from work_orders as found where found.site_id in
      (select sites.id from sites where sites.name ilike ${pattern} and sites.deleted_at is null)
    union all select found.id from work_orders as found where found.asked_by in
      (select accounts.id from accounts where accounts.searched ilike ${pattern.toLowerCase()} and accounts.deleted_at is null))`;
}

function matching(db: Db, asker: Asker, condition: Input['condition']) {
  const { content, view = 'open', states, category, product, stationID, deviceID, incidentID } = condition;
  return db
    .selectFrom('work_orders')
    .where(visibleOrders(asker.scope))
    .where(inView(view, asker))
    .$if(states !== undefined && states.length > 0, (query) => query.where('work_orders.state', 'in', states ?? []))
    .$if(category !== undefined, (query) => query.where('work_orders.category', '=', category ?? 'other'))
    .$if(product !== undefined, (query) => query.where('work_orders.product', '=', product ?? 'plant'))
    .$if(stationID !== undefined, (query) => query.where('work_orders.site_id', '=', stationID ?? ''))
    .$if(deviceID !== undefined, (query) => query.where('work_orders.device_id', '=', deviceID ?? ''))
    .$if(incidentID !== undefined, (query) => query.where('work_orders.incident_id', '=', incidentID ?? ''))
    .$if(content !== '', (query) => query.where(containsText(content)));
}

/** When something happened last that who asks may read. */
async function lastChange(db: Db, asker: Asker) {
  if (!actsForOrganisation(asker.scope)) return sql`work_orders.updated_at`;
  // Most have asked nothing: theirs are read in the order of an index.
  const unread = await db
    .selectFrom('work_orders')
    .select('id')
    .where((eb) => eb.or([eb('asked_by', '=', asker.accountId), eb('asked_from', '=', asker.organisationID)]))
    .limit(1)
    .executeTakeFirst();
  return unread === undefined
    ? sql`work_orders.touched_at`
    : sql`case when ${internalIsRead(asker)} then work_orders.touched_at else work_orders.updated_at end`;
}

async function sortKeyFor(db: Db, asker: Asker, field: Input['sort']['field']) {
  const keys = {
    dueMs: sql`work_orders.due_at`,
    submitMs: sql`work_orders.asked_at`,
    updateMs: field === 'updateMs' ? await lastChange(db, asker) : sql`work_orders.updated_at`,
  } satisfies SortKeys<typeof workOrderFields>;
  return keys[field];
}

/** A page of orders, or what follows a place of them. */
export async function ordersFound(db: Db, asker: Asker, { condition, sort, ...span }: Input) {
  const found = await pageOf(
    matching(db, asker, condition).select('work_orders.id'),
    {
      key: await sortKeyFor(db, asker, sort.field),
      apart: [sql`work_orders.sequence`],
      order: sort.order,
      isKnown: sort.field !== 'dueMs',
    },
    span as Input,
    { counts: upTo(db, MOST_ORDERS_COUNTED + 1) },
  );
  return withRows(found, (ids) => ordersById(db, asker.scope, ids));
}

export type OrderFound = Awaited<ReturnType<typeof ordersById>>[number];

/** Orders in scope, of those named, with what is shown of them. */
export const ordersById = (db: Db, scope: Scope, ids: readonly string[]) =>
  db
    .selectFrom('work_orders')
    .innerJoin('organisations as holder', 'holder.id', 'work_orders.holder_id')
    .innerJoin('organisations as belongs', 'belongs.id', 'work_orders.organisation_id')
    .leftJoin('sites', 'sites.id', 'work_orders.site_id')
    .leftJoin('devices', 'devices.id', 'work_orders.device_id')
    .leftJoin('accounts as asker', 'asker.id', 'work_orders.asked_by')
    .leftJoin('organisations as asking', 'asking.id', 'asker.organisation_id')
    .leftJoin('accounts as assignee', 'assignee.id', 'work_orders.assignee_id')
    .selectAll('work_orders')
    .select([
      'holder.name as holder_name',
      sql<string[]>`holder.path::text[]`.as('holder_path'),
      sql<string[]>`belongs.path::text[]`.as('way'),
      'sites.name as site_name',
      'sites.time_zone',
      'devices.sn as device_sn',
      'devices.kind as device_kind',
      'asker.username as asker_account',
      'asker.level as asker_level',
      'asking.name as asker_organisation',
      sql<string>`coalesce(nullif(asker.name, ''), asker.username, '')`.as('asker_name'),
      sql<string>`coalesce(nullif(assignee.name, ''), assignee.username, '')`.as('assignee_name'),
    ])
    .where(sql<SqlBool>`work_orders.id = any(${ids}::uuid[])`)
    .where(visibleOrders(scope))
    .execute();

/** Shorter texts are in no index of fragments. */
const SHORTEST = 3;

/** Orders in scope with a text in their number or title, the newest first. */
export function ordersNamed(db: Db, scope: Scope, text: string, most: number) {
  const pattern = containing(text);
  return db
    .selectFrom('work_orders')
    .leftJoin('sites', 'sites.id', 'work_orders.site_id')
    .select(['work_orders.id', 'work_orders.number', 'work_orders.title', 'sites.name as plant'])
    .where(visibleOrders(scope))
    .where((eb) =>
      text.length < SHORTEST
        ? eb.val(false)
        : eb.or([eb('work_orders.number', 'ilike', pattern), eb('work_orders.title', 'ilike', pattern)]),
    )
    .orderBy('work_orders.sequence', 'desc')
    .limit(most)
    .execute();
}

const countOf = (condition: Expression<SqlBool>) => sql<number>`(count(*) filter (where ${condition}))::int`;

/** How many open orders each part of the list has. */
export const countsOf = (db: Db, asker: Asker) =>
  db
    .selectFrom('work_orders')
    .where(visibleOrders(asker.scope))
    .where(isOpen)
    .select([
      countOf(sql<SqlBool>`true`).as('open'),
      countOf(inView('mine', asker)).as('mine'),
      countOf(inView('late', asker)).as('late'),
      countOf(inView('waiting', asker)).as('waiting'),
    ])
    .executeTakeFirstOrThrow();

/** The open ones that are due next. */
export const dueNext = (db: Db, asker: Asker, most: number) =>
  db
    .selectFrom('work_orders')
    .leftJoin('sites', 'sites.id', 'work_orders.site_id')
    .where(visibleOrders(asker.scope))
    .where(isOpen)
    .select([
      'work_orders.id',
      'work_orders.number',
      'work_orders.title',
      'work_orders.state',
      'work_orders.due_at',
      'sites.name',
    ])
    .orderBy(sql`work_orders.due_at asc nulls last`)
    .orderBy('work_orders.sequence')
    .limit(most)
    .execute();

/** Organisations on a way, of the platform down, without those that are gone. */
export const organisationsOn = (db: Db, way: readonly string[]) =>
  db
    .selectFrom('organisations')
    .select(['id', 'name'])
    .where(sql<SqlBool>`id = any(${way}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy(sql`cardinality(path)`)
    .execute();
