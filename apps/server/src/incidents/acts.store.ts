import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { incidentIsVisible, type Scope, visibleAccounts } from '../access/scope.ts';
import { containing } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

export interface HeldIncident {
  id: string;
  code: number;
  state: 'open' | 'acknowledged' | 'cleared' | 'closed';
  site_id: string | null;
  region: string;
  muted_until: Date | null;
  assignee_id: string | null;
  site_name: string | null;
  owner_account_id: string | null;
  path: string[];
}

/**
 * Incidents in scope, of those named, with those that they explain and are in scope as well; nobody else changes them until the end of the transaction. `is_named`
 * tells them apart.
 */
export async function holdIncidents(
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
): Promise<(HeldIncident & { is_named: boolean })[]> {
  return (await tx
    .selectFrom('incidents')
    .leftJoin('sites', 'sites.id', 'incidents.site_id')
    .leftJoin('organisations', (join) =>
      join.on(sql<SqlBool>`organisations.id = coalesce(sites.organisation_id, incidents.organisation_id)`),
    )
    .select([
      'incidents.id',
      'incidents.code',
      'incidents.state',
      'incidents.site_id',
      'incidents.region',
      'incidents.muted_until',
      'incidents.assignee_id',
      'sites.name as site_name',
      'sites.owner_account_id',
      sql<string[]>`coalesce(organisations.path::text[], '{}')`.as('path'),
      sql<boolean>`incidents.id = any(${ids}::uuid[])`.as('is_named'),
    ])
    .where(sql<SqlBool>`(incidents.id = any(${ids}::uuid[]) or incidents.cause_id = any(${ids}::uuid[]))`)
    .where(incidentIsVisible(scope))
    .orderBy('incidents.id')
    .forUpdate('incidents')
    .execute()) as (HeldIncident & { is_named: boolean })[];
}

const named = (ids: readonly string[]) => sql<SqlBool>`incidents.id = any(${ids}::uuid[])`;

export interface Person {
  readonly accountId: string;
  readonly name: string;
}

export const writeAcknowledged = (tx: Tx, ids: readonly string[], at: Date, by: Person) =>
  tx
    .updateTable('incidents')
    .set({ state: 'acknowledged', acknowledged_at: at, acknowledged_by: by.name })
    .where(named(ids))
    .execute();

export const writeClosed = (tx: Tx, ids: readonly string[], at: Date, cause: string | undefined) =>
  tx
    .updateTable('incidents')
    .set({ state: 'closed', closed_at: at, ...(cause !== undefined && { cause }) })
    .where(named(ids))
    .execute();

export const writeMuted = (tx: Tx, ids: readonly string[], until: Date | null, by: string, reason: string) =>
  tx
    .updateTable('incidents')
    .set({ muted_until: until, muted_by: by, mute_reason: reason })
    .where(named(ids))
    .execute();

export const writeAssigned = (tx: Tx, ids: readonly string[], accountId: string | null) =>
  tx.updateTable('incidents').set({ assignee_id: accountId }).where(named(ids)).execute();

export const writeCauseFound = (tx: Tx, id: string, cause: string) =>
  tx.updateTable('incidents').set({ cause }).where('id', '=', id).execute();

export interface Step {
  readonly kind: string;
  readonly at: Date;
  readonly by: Person;
  readonly text?: string | undefined;
  readonly until?: Date | undefined;
  readonly cause?: string | undefined;
}

/** Enters a step in the life of several incidents. */
export async function enterSteps(
  tx: Tx,
  ids: readonly string[],
  { kind, at, by, text, until, cause }: Step,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into incident_entries (incident_id, at, kind, account_id, actor, text, until, cause)
    select id, ${at}, ${kind}, ${by.accountId}, ${by.name}, ${text ?? ''}, ${until ?? null}, ${cause ?? ''}
    from unnest(${ids}::uuid[]) as id`.execute(tx);
}

/** How many comments an incident has, which is held. */
export const commentsOf = async (tx: Tx, id: string): Promise<number> =>
  (
    await tx
      .selectFrom('incident_entries')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('incident_id', '=', id)
      .where('kind', '=', 'commented')
      .executeTakeFirstOrThrow()
  ).count;

const OPERATORS = [2, 3, 4, 255];

/** People who operate plants, at or below the actor's organisation. */
const people = (db: Db, scope: Scope) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .where(visibleAccounts(scope))
    .where('accounts.level', 'in', OPERATORS)
    .where('accounts.disabled_at', 'is', null)
    .select([
      'accounts.id',
      'accounts.username',
      'accounts.name',
      'organisations.name as organisation',
      sql<string[]>`organisations.path::text[]`.as('path'),
    ]);

/** Organisations whose people see all of some incidents, of the platform down; undefined where one of them is not in scope. */
export async function organisationsThatSee(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<string[] | undefined> {
  const rows = await db
    .selectFrom('incidents')
    .leftJoin('sites', 'sites.id', 'incidents.site_id')
    .innerJoin('organisations', (join) =>
      join.on(sql<SqlBool>`organisations.id = coalesce(sites.organisation_id, incidents.organisation_id)`),
    )
    .select(['incidents.id', sql<string[]>`organisations.path::text[]`.as('path')])
    .where(named(ids))
    .where(incidentIsVisible(scope))
    .execute();
  if (rows.length < new Set(ids).size) return undefined;
  const [first, ...others] = rows.map(({ path }) => path);
  return (first ?? []).filter((id) => others.every((path) => path.includes(id)));
}

export async function assigneesToChoose(
  db: Db,
  scope: Scope,
  { search, ids, of }: { search: string; ids?: readonly string[] | undefined; of?: readonly string[] | undefined },
  most: number,
) {
  const pattern = containing(search);
  return people(db, scope)
    .$if(of !== undefined, (query) => query.where(sql<SqlBool>`accounts.organisation_id = any(${of ?? []}::uuid[])`))
    .$if(ids !== undefined, (query) => query.where(sql<SqlBool>`accounts.id = any(${ids ?? []}::uuid[])`))
    .$if(ids === undefined && search !== '', (query) =>
      query.where((eb) => eb.or([eb('accounts.username', 'ilike', pattern), eb('accounts.name', 'ilike', pattern)])),
    )
    .orderBy(sql`lower(accounts.username)`)
    .limit(most)
    .execute();
}

export const assigneeById = (db: Db, scope: Scope, id: string) =>
  people(db, scope).where('accounts.id', '=', id).executeTakeFirst();
