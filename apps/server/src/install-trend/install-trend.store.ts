import type { list, TrendGrouping, trendFields } from '@sonnenwarte/contract/install-trend/install-trend';
import { type Kysely, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { visibleSites } from '../sites/sites.store.ts';
import { type Asked, containing, type Found, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Condition = Asked<typeof list>['condition'];

const commissionedOn = sql<string | null>`coalesce(sites.commissioned_on, sites.grid_connected_on)`;
const monthOf = sql<string | null>`to_char(${commissionedOn}, 'YYYY-MM')`;

const groupSql: Readonly<Record<TrendGrouping, ReturnType<typeof sql<string>>>> = {
  country: sql<string>`sites.country`,
  type: sql<string>`sites.type::text`,
  installer: sql<string>`coalesce(installers.name, '')`,
};

/** Plants by month and group in one pass; those without a day have no month. */
const byMonth = (db: Db, scope: Scope, by: TrendGrouping) =>
  db
    .selectFrom('sites')
    .leftJoin('organisations as installers', 'installers.id', 'sites.organisation_id')
    .where(visibleSites(scope))
    .select([
      monthOf.as('month'),
      groupSql[by].as('group'),
      sql<number>`count(*)::int`.as('plants'),
      sql<number>`sum(sites.system_size_kwp)`.as('kwp'),
    ])
    .groupBy([sql`1`, sql`2`]);

export interface MonthGroup {
  month: string | null;
  group: string;
  plants: number;
  kwp: number;
}

/** All months and groups of the scope. */
export const installationsByMonth = (db: Db, scope: Scope, by: TrendGrouping): Promise<MonthGroup[]> =>
  byMonth(db, scope, by).execute();

const sortKeys = {
  month: sql`installed.month`,
  plants: sql`installed.plants`,
  kwp: sql`installed.kwp`,
} satisfies SortKeys<typeof trendFields>;

/** A page of them. */
export async function listInstallations(
  db: Db,
  scope: Scope,
  input: Asked<typeof list>,
): Promise<Found<MonthGroup & { month: string }>> {
  const { condition, sort } = input;
  const { by, first, last, content }: Condition = condition;
  let query = db
    .selectFrom(byMonth(db, scope, by).as('installed'))
    .where('installed.month', 'is not', null)
    .select(['installed.month', 'installed.group', 'installed.plants', 'installed.kwp']);
  if (first !== undefined) query = query.where('installed.month', '>=', first);
  if (last !== undefined) query = query.where('installed.month', '<=', last);
  if (content !== '') query = query.where('installed.group', 'ilike', containing(content));
  const apart = sort.field === 'month' ? [sql`installed.group`] : [sql`installed.month`, sql`installed.group`];
  const found = await pageOf(query, { key: sortKeys[sort.field], apart, order: sort.order }, input);
  return { ...found, rows: found.rows.map((row) => ({ ...row, month: row.month ?? '' })) };
}
