import { type Choice, MOST_CHOICES } from '@sonnenwarte/contract/choices';
import type { Level } from '@sonnenwarte/contract/levels';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Scope, visibleAccounts, visibleOrganisations } from '../access/scope.ts';
import { groupCodesOf } from '../accounts/session-actors.ts';
import { hashToken } from '../accounts/sessions.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

export type OrganisationKind = Database['organisations']['kind'];

/** An account in scope that could sign in. */
export const viewableAccount = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .select([
      'accounts.id',
      'accounts.username',
      'accounts.level',
      'accounts.leads',
      'accounts.organisation_id',
      'organisations.path',
      groupCodesOf('accounts').as('granted'),
    ])
    .where(visibleAccounts(scope))
    .where('organisations.deleted_at', 'is', null)
    .where('accounts.id', '=', id)
    .executeTakeFirst();

/** A permission group of an organisation in scope. */
export const viewableGroup = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('permission_groups')
    .innerJoin('organisations', 'organisations.id', 'permission_groups.organisation_id')
    .select([
      'permission_groups.id',
      'permission_groups.name',
      'permission_groups.codes',
      'permission_groups.organisation_id',
      'organisations.kind',
      'organisations.path',
    ])
    .where(visibleOrganisations(scope))
    .where('permission_groups.id', '=', id)
    .executeTakeFirst();

interface Asked {
  pattern: string;
  /** Those of these instead of those that match. */
  ids: readonly string[] | undefined;
}

const isOneOf = (id: string, ids: readonly string[]) => sql<SqlBool>`${sql.ref(id)} = any(${ids}::uuid[])`;

/** Holds for none where there are no kinds. */
const isOfKind = (kinds: readonly OrganisationKind[]) => sql<SqlBool>`organisations.kind = any(${kinds}::text[])`;

export const searchOrganisations = (
  db: Db,
  scope: Scope,
  kinds: readonly OrganisationKind[],
  { pattern, ids }: Asked,
): Promise<Choice[]> =>
  db
    .selectFrom('organisations')
    .leftJoin('organisations as above', 'above.id', 'organisations.parent_id')
    .select([
      'organisations.id',
      'organisations.name',
      sql<string>`case when above.kind = 'platform' then '' else coalesce(above.name, '') end`.as('detail'),
    ])
    .where(visibleOrganisations(scope))
    .where(isOfKind(kinds))
    .where((eb) => (ids ? isOneOf('organisations.id', ids) : eb('organisations.name', 'ilike', pattern)))
    .orderBy(sql`lower(organisations.name)`)
    .limit(ids?.length ?? MOST_CHOICES)
    .execute();

export const searchAccounts = (db: Db, scope: Scope, level: Level, { pattern, ids }: Asked): Promise<Choice[]> =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .select(['accounts.id', 'accounts.username as name', 'organisations.name as detail'])
    .where(visibleAccounts(scope))
    .where('organisations.deleted_at', 'is', null)
    .where('accounts.level', '=', level)
    .where((eb) =>
      ids
        ? isOneOf('accounts.id', ids)
        : eb.or([
            eb('accounts.username', 'ilike', pattern),
            eb('accounts.name', 'ilike', pattern),
            eb('accounts.email', 'ilike', pattern),
          ]),
    )
    .orderBy(sql`lower(accounts.username)`)
    .limit(ids?.length ?? MOST_CHOICES)
    .execute();

export const searchGroups = (
  db: Db,
  scope: Scope,
  kinds: readonly OrganisationKind[],
  { pattern, ids }: Asked,
): Promise<Choice[]> =>
  db
    .selectFrom('permission_groups')
    .innerJoin('organisations', 'organisations.id', 'permission_groups.organisation_id')
    .select(['permission_groups.id', 'permission_groups.name', 'organisations.name as detail'])
    .where(visibleOrganisations(scope))
    .where(isOfKind(kinds))
    .where((eb) =>
      ids
        ? isOneOf('permission_groups.id', ids)
        : eb.or([eb('permission_groups.name', 'ilike', pattern), eb('organisations.name', 'ilike', pattern)]),
    )
    .orderBy(sql`lower(permission_groups.name)`)
    .limit(ids?.length ?? MOST_CHOICES)
    .execute();

export interface View {
  level: Level;
  accountId: string | null;
  organisationID: string;
  groupId: string | null;
}

/** A view and the session from which it is begun. */
interface BegunView extends View {
  parentID: string;
}

/** Makes a session that was just opened one that sees the portal through other eyes. */
export const turnIntoView = (tx: Transaction<Database>, token: string, view: BegunView) =>
  tx
    .updateTable('sessions')
    .set({
      view_level: view.level,
      view_account_id: view.accountId,
      view_organisation_id: view.organisationID,
      view_group_id: view.groupId,
      view_parent_id: view.parentID,
    })
    .where('token_hash', '=', hashToken(token))
    .execute();
