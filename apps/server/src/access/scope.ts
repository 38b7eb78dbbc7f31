import { type Expression, type ExpressionBuilder, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';
import type { Actor } from './actor.ts';

declare const brand: unique symbol;

type Reach =
  | { readonly kind: 'all' }
  | { readonly kind: 'organisation'; readonly organisationID: string }
  | { readonly kind: 'owner'; readonly accountId: string }
  | { readonly kind: 'granted'; readonly accountId: string };

/** What an actor may see. Only `scopeOf` makes one, so a query without an access check does not compile. */
export type Scope = Reach & { readonly [brand]: true };

export function scopeOf(actor: Pick<Actor, 'accountId' | 'level' | 'organisationID'>): Scope {
  const reach = (): Reach => {
    switch (actor.level) {
      case 255:
        return { kind: 'all' };
      case 10:
        return { kind: 'granted', accountId: actor.accountId };
      case 1:
        return { kind: 'owner', accountId: actor.accountId };
      default:
        return { kind: 'organisation', organisationID: actor.organisationID };
    }
  };
  return reach() as Scope;
}

/** The scope of the server itself, for work on behalf of nobody. What it reads is given out only after a check of its own. */
export const systemScope = { kind: 'all' } as Scope;

type Builder<Table extends keyof Database> = ExpressionBuilder<Database, Table>;

/** Ids of the plants that an end user owns or is shared, as a list and not as one of two conditions, for which every plant would be read. */
const ownedOrShared = (accountId: string) => {
  const eb = expressionBuilder<Database, never>();
  return eb
    .selectFrom('sites as owned')
    .select('owned.id')
    .where('owned.owner_account_id', '=', accountId)
    .unionAll(
      eb
        .selectFrom('site_shares')
        .select('site_shares.site_id as id')
        .where('site_shares.account_id', '=', accountId)
        .where('site_shares.ended_at', 'is', null),
    );
};

/** Ids of an organisation and of all below it, deleted ones too. */
const atOrBelow = (db: Pick<Kysely<Database>, 'selectFrom'>, organisationID: string) =>
  db
    .selectFrom('organisations')
    .select('organisations.id')
    .where(sql<SqlBool>`organisations.path @> array[${organisationID}::uuid]`);

/** Condition on `sites` (under that name in the query): not deleted and within the scope. */
export function siteIsVisible(scope: Scope): (eb: Builder<'sites'>) => Expression<SqlBool> {
  return (eb) => {
    const there = eb('sites.deleted_at', 'is', null);
    switch (scope.kind) {
      case 'all':
        return there;
      case 'granted':
        return eb.val(false);
      case 'owner':
        return eb.and([there, eb('sites.id', 'in', ownedOrShared(scope.accountId))]);
      case 'organisation':
        return eb.and([
          there,
          eb('sites.organisation_id', 'in', atOrBelow(expressionBuilder<Database, never>(), scope.organisationID)),
        ]);
    }
  };
}

const MOST_NAMED = 1_000;

/**
 * The same condition on `site_latest` alone, for what looks at all plants in scope. Few organisations are named to the planner,
 * which then knows how many plants are theirs.
 */
export async function listedSiteIsVisible(db: Kysely<Database>, scope: Scope): Promise<Expression<SqlBool>> {
  const eb = expressionBuilder<Database, 'site_latest'>();
  const there = eb.not(eb.ref('site_latest.site_deleted'));
  switch (scope.kind) {
    case 'all':
      return there;
    case 'granted':
      return eb.val(false);
    case 'owner':
      return eb.and([there, eb('site_latest.site_id', 'in', ownedOrShared(scope.accountId))]);
    case 'organisation': {
      const within = atOrBelow(db, scope.organisationID);
      const few = await within.limit(MOST_NAMED + 1).execute();
      const isOfOne =
        few.length > MOST_NAMED
          ? eb('site_latest.site_organisation_id', 'in', within)
          : sql<SqlBool>`site_latest.site_organisation_id = any(${few.map(({ id }) => id)}::uuid[])`;
      return eb.and([there, isOfOne]);
    }
  }
}

/** The share by which a scope may see a plant that it does not own; none where it sees it otherwise. */
export function sharedWith(scope: Scope): (eb: ExpressionBuilder<Database, 'site_shares'>) => Expression<SqlBool> {
  return (eb) =>
    scope.kind === 'owner'
      ? eb.and([eb('site_shares.account_id', '=', scope.accountId), eb('site_shares.ended_at', 'is', null)])
      : eb.val(false);
}

/** Whether a plant in scope is also edited by who sees it: what is shared with an end user is only read. */
export const mayEdit = (scope: Scope, site: { readonly owner_account_id: string | null }): boolean =>
  scope.kind !== 'owner' || site.owner_account_id === scope.accountId;

/** Condition on `devices`: not deleted, and on a visible site, or granted to an integrator. */
export function deviceIsVisible(scope: Scope): (eb: ExpressionBuilder<Database, 'devices'>) => Expression<SqlBool> {
  return (eb) => {
    const there = eb('devices.deleted_at', 'is', null);
    if (scope.kind === 'all') {
      // Said as what there must not be: few plants are deleted, and all that are not would be read.
      const onDeletedSite = eb
        .selectFrom('sites')
        .select('sites.id')
        .whereRef('sites.id', '=', 'devices.site_id')
        .where('sites.deleted_at', 'is not', null);
      return eb.and([there, eb('devices.site_id', 'is not', null), eb.not(eb.exists(onDeletedSite))]);
    }
    const onVisibleSite = eb(
      'devices.site_id',
      'in',
      eb.selectFrom('sites').select('sites.id').where(siteIsVisible(scope)),
    );
    if (scope.kind !== 'granted') return eb.and([there, onVisibleSite]);
    return eb.and([
      there,
      eb(
        'devices.id',
        'in',
        eb
          .selectFrom('device_grants')
          .innerJoin('devices as granted', 'granted.id', 'device_grants.device_id')
          .leftJoin('sites as granted_site', 'granted_site.id', 'granted.site_id')
          .select('device_grants.device_id')
          .where('device_grants.account_id', '=', scope.accountId)
          .where('granted_site.deleted_at', 'is', null),
      ),
    ]);
  };
}

/** Ids of the dataloggers at or below an organisation, as a list and not as one of two conditions, for which each datalogger would be read. */
const ofOrganisations = (organisationID: string) => {
  const eb = expressionBuilder<Database, never>();
  return eb
    .selectFrom('loggers as linked')
    .innerJoin('sites', 'sites.id', 'linked.site_id')
    .select('linked.id')
    .where('sites.deleted_at', 'is', null)
    .where('sites.organisation_id', 'in', atOrBelow(eb, organisationID))
    .unionAll(
      eb
        .selectFrom('loggers as free')
        .select('free.id')
        .where('free.site_id', 'is', null)
        .where(sql<SqlBool>`not free.quarantined`)
        .where('free.organisation_id', 'in', atOrBelow(eb, organisationID)),
    );
};

/** The same condition on `device_listed` alone, for what looks at all devices in scope. */
export async function listedDeviceIsVisible(db: Kysely<Database>, scope: Scope): Promise<Expression<SqlBool>> {
  const eb = expressionBuilder<Database, 'device_listed'>();
  const there = eb.not(eb.ref('device_listed.deleted'));
  switch (scope.kind) {
    case 'all':
      return eb.and([there, eb('device_listed.site_id', 'is not', null)]);
    case 'granted':
      return eb.and([
        there,
        eb(
          'device_listed.device_id',
          'in',
          eb
            .selectFrom('device_grants')
            .select('device_grants.device_id')
            .where('device_grants.account_id', '=', scope.accountId),
        ),
      ]);
    case 'owner':
      return eb.and([there, eb('device_listed.site_id', 'in', ownedOrShared(scope.accountId))]);
    case 'organisation': {
      const within = atOrBelow(db, scope.organisationID);
      const few = await within.limit(MOST_NAMED + 1).execute();
      const isOfOne =
        few.length > MOST_NAMED
          ? eb('device_listed.organisation_id', 'in', within)
          : sql<SqlBool>`device_listed.organisation_id = any(${few.map(({ id }) => id)}::uuid[])`;
      return eb.and([there, isOfOne]);
    }
  }
}

/** Condition on `loggers`: on a visible site, or in none and let in by a visible organisation; the platform sees all without a site. */
export function dataloggerIsVisible(scope: Scope): (eb: ExpressionBuilder<Database, 'loggers'>) => Expression<SqlBool> {
  return (eb) => {
    const onVisibleSite = eb(
      'loggers.site_id',
      'in',
      eb.selectFrom('sites').select('sites.id').where(siteIsVisible(scope)),
    );
    const there = eb('loggers.revoked_at', 'is', null);
    if (scope.kind === 'organisation')
      return eb.and([there, eb('loggers.id', 'in', ofOrganisations(scope.organisationID))]);
    if (scope.kind !== 'all') return eb.and([there, onVisibleSite]);
    // Said as what there must not be: an alternative would have every plant read for the first datalogger.
    const onDeletedSite = eb
      .selectFrom('sites')
      .select('sites.id')
      .whereRef('sites.id', '=', 'loggers.site_id')
      .where('sites.deleted_at', 'is not', null);
    return eb.and([there, eb.not(eb.exists(onDeletedSite))]);
  };
}

/** Condition on `organisations`: not deleted, at or below the actor's own. Owners and integrators see none. */
export function organisationIsVisible(
  scope: Scope,
): (eb: ExpressionBuilder<Database, 'organisations'>) => Expression<SqlBool> {
  return (eb) => {
    const there = eb('organisations.deleted_at', 'is', null);
    switch (scope.kind) {
      case 'all':
        return there;
      case 'organisation':
        return eb.and([there, sql<SqlBool>`organisations.path @> array[${scope.organisationID}::uuid]`]);
      default:
        return eb.val(false);
    }
  };
}

/** The condition on `organisations`, for a query of any further tables. */
export const visibleOrganisations = (scope: Scope): Expression<SqlBool> =>
  organisationIsVisible(scope)(expressionBuilder<Database, 'organisations'>());

/** Condition on `audit_log`: of records at or below the actor's own organisation at that time. Owners and integrators see none. */
export function auditIsVisible(scope: Scope): (eb: ExpressionBuilder<Database, 'audit_log'>) => Expression<SqlBool> {
  return (eb) => {
    switch (scope.kind) {
      case 'all':
        return eb.val(true);
      case 'organisation':
        return sql<SqlBool>`audit_log.organisation_path @> array[${scope.organisationID}::uuid]`;
      default:
        return eb.val(false);
    }
  };
}

/** Condition on `accounts`: not deleted, in a visible organisation; owners and integrators see only themselves. */
export function accountIsVisible(scope: Scope): (eb: ExpressionBuilder<Database, 'accounts'>) => Expression<SqlBool> {
  return (eb) => {
    const there = eb('accounts.deleted_at', 'is', null);
    switch (scope.kind) {
      case 'all':
        return there;
      case 'organisation':
        return eb.and([
          there,
          eb(
            'accounts.organisation_id',
            'in',
            eb.selectFrom('organisations').select('organisations.id').where(organisationIsVisible(scope)),
          ),
        ]);
      default:
        return eb.and([there, eb('accounts.id', '=', scope.accountId)]);
    }
  };
}

/** The condition on `accounts`, for a query of any further tables. */
export const visibleAccounts = (scope: Scope): Expression<SqlBool> =>
  accountIsVisible(scope)(expressionBuilder<Database, 'accounts'>());

type OnIncidents = ExpressionBuilder<Database, 'incidents'>;

/** Ids of the devices that are granted to an integrator. */
const grantedTo = (eb: Pick<OnIncidents, 'selectFrom'>, accountId: string) =>
  eb
    .selectFrom('devices')
    .select('devices.id')
    .where(deviceIsVisible({ kind: 'granted', accountId } as Scope));

/** Condition on `incidents`: at a visible plant, of a granted device, or at several plants that all belong to who is at or below the actor's organisation. */
export function incidentIsVisible(scope: Scope): (eb: OnIncidents) => Expression<SqlBool> {
  return (eb) => {
    switch (scope.kind) {
      case 'all': {
        // Said as what there must not be: few plants are deleted.
        const onDeletedSite = eb
          .selectFrom('sites')
          .select('sites.id')
          .whereRef('sites.id', '=', 'incidents.site_id')
          .where('sites.deleted_at', 'is not', null);
        return eb.not(eb.exists(onDeletedSite));
      }
      case 'granted':
        return eb('incidents.device_id', 'in', grantedTo(eb, scope.accountId));
      case 'owner':
        return eb('incidents.site_id', 'in', eb.selectFrom('sites').select('sites.id').where(siteIsVisible(scope)));
      case 'organisation':
        return eb.or([
          eb('incidents.site_id', 'in', eb.selectFrom('sites').select('sites.id').where(siteIsVisible(scope))),
          eb('incidents.organisation_id', 'in', atOrBelow(expressionBuilder<Database, never>(), scope.organisationID)),
        ]);
    }
  };
}

/** Condition on `incidents`: nothing that the actor sees explains it. */
export function incidentStandsAlone(scope: Scope): (eb: OnIncidents) => Expression<SqlBool> {
  return (eb) => {
    const unexplained = eb('incidents.cause_id', 'is', null);
    switch (scope.kind) {
      case 'all':
        return unexplained;
      case 'owner':
        return eb.or([unexplained, eb('incidents.cause_organisation_id', 'is not', null)]);
      case 'organisation':
        return eb.or([
          unexplained,
          eb.and([
            eb('incidents.cause_organisation_id', 'is not', null),
            eb(
              'incidents.cause_organisation_id',
              'not in',
              atOrBelow(expressionBuilder<Database, never>(), scope.organisationID),
            ),
          ]),
        ]);
      case 'granted':
        return eb.or([
          unexplained,
          eb.not(
            eb.exists(
              eb
                .selectFrom('incidents as explaining')
                .select('explaining.id')
                .whereRef('explaining.id', '=', 'incidents.cause_id')
                .where('explaining.device_id', 'in', grantedTo(eb, scope.accountId)),
            ),
          ),
        ]);
    }
  };
}

/**
 * Condition on `work_orders`: belonging to an organisation at or below the actor's own, which whoever has it is above; of an end user those that it asked
 * itself. Of a plant that is deleted there is none.
 */
export function workOrderIsVisible(
  scope: Scope,
): (eb: ExpressionBuilder<Database, 'work_orders'>) => Expression<SqlBool> {
  return (eb) => {
    const onDeletedSite = eb
      .selectFrom('sites')
      .select('sites.id')
      .whereRef('sites.id', '=', 'work_orders.site_id')
      .where('sites.deleted_at', 'is not', null);
    const there = eb.not(eb.exists(onDeletedSite));
    switch (scope.kind) {
      case 'all':
        return there;
      case 'granted':
        return eb.val(false);
      case 'owner':
        return eb.and([there, eb('work_orders.asked_by', '=', scope.accountId)]);
      case 'organisation':
        return eb.and([
          there,
          eb(
            'work_orders.organisation_id',
            'in',
            atOrBelow(expressionBuilder<Database, never>(), scope.organisationID),
          ),
        ]);
    }
  };
}

/** Whether the actor looks after what it sees for an organisation: end users and integrators do not. */
export const actsForOrganisation = (scope: Scope): boolean => scope.kind === 'all' || scope.kind === 'organisation';

/** Whether an organisation, by its path, is the actor's own or below it. */
export const coversPath = (scope: Scope, path: readonly string[]): boolean =>
  scope.kind === 'all' || (scope.kind === 'organisation' && path.includes(scope.organisationID));
