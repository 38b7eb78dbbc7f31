import type { list, ruleFields } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible, visibleAccounts } from '../access/scope.ts';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const OPERATORS = [2, 3, 4, 255];

const people = (escalates: boolean) => sql<{ accountID: string; name: string }[]>`coalesce((
  select json_agg(json_build_object('accountID', people.id, 'name', coalesce(nullif(people.name, ''), people.username)) order by people.username)
  from alarm_rule_receivers receivers join accounts people on people.id = receivers.account_id
  where receivers.rule_id = alarm_rules.id and receivers.escalates = ${escalates} and people.deleted_at is null), '[]')`;

/** Rules of an account, and those that tell it something. */
const rulesOf = (db: Db, accountId: string) =>
  db
    .selectFrom('alarm_rules')
    .innerJoin('accounts as keepers', 'keepers.id', 'alarm_rules.account_id')
    .leftJoin('organisations', 'organisations.id', 'alarm_rules.organisation_id')
    .leftJoin('sites', 'sites.id', 'alarm_rules.site_id')
    .selectAll('alarm_rules')
    .select([
      'organisations.name as organisation_name',
      'sites.name as site_name',
      sql<string>`coalesce(nullif(keepers.name, ''), keepers.username)`.as('keeper'),
      people(false).as('receivers'),
      people(true).as('escalate_to'),
      sql<Date | null>`(select max(at) from alarm_deliveries where alarm_deliveries.rule_id = alarm_rules.id)`.as(
        'last_told',
      ),
    ])
    .where(sql<SqlBool>`alarm_rules.id in (
      select id from alarm_rules where account_id = ${accountId}
      union all select rule_id from alarm_rule_receivers where account_id = ${accountId})`);

export type StoredRule = Awaited<ReturnType<ReturnType<typeof rulesOf>['execute']>>[number];

const sortKeys = { name: sql`alarm_rules.name` } satisfies SortKeys<typeof ruleFields>;

export function rulesFound(db: Db, accountId: string, { condition, sort, ...span }: Asked<typeof list>) {
  const query = rulesOf(db, accountId).$if(condition.content !== '', (some) =>
    some.where((eb) => {
      const contains = (column: 'alarm_rules.name' | 'sites.name' | 'organisations.name') =>
        eb(column, 'ilike', containing(condition.content));
      // Whom a rule tells is not told of which plants: neither by finding it.
      const isAbout = eb.or([contains('sites.name'), contains('organisations.name')]);
      return eb.or([contains('alarm_rules.name'), eb.and([eb('alarm_rules.account_id', '=', accountId), isAbout])]);
    }),
  );
  const ordering = { key: sortKeys[sort.field], apart: [sql`alarm_rules.id`], order: sort.order, isKnown: true };
  return pageOf(query, ordering, span as Asked<typeof list>);
}

export const ruleById = (db: Db, accountId: string, id: string) =>
  rulesOf(db, accountId).where('alarm_rules.id', '=', id).executeTakeFirst();

/** Holds the account while its rules are counted and written. */
export const holdRulesOf = (tx: Tx, accountId: string) =>
  tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();

export const countRules = async (tx: Tx, accountId: string): Promise<number> =>
  (
    await tx
      .selectFrom('alarm_rules')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
  ).count;

export interface WrittenRule {
  readonly name: string;
  readonly levels: number[];
  readonly codes: number[];
  readonly organisation_id: string | null;
  readonly site_id: string | null;
  readonly delay_minutes: number;
  readonly channels: string[];
  readonly mode: 'atOnce' | 'daily';
  readonly digest_at: string;
  readonly quiet_from: string;
  readonly quiet_to: string;
  readonly critical_always: boolean;
  readonly tells_end: boolean;
  readonly escalate_minutes: number | null;
}

export async function insertRule(tx: Tx, accountId: string, rule: WrittenRule): Promise<string> {
  const { id } = await tx
    .insertInto('alarm_rules')
    .values({ ...rule, account_id: accountId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const updateRule = (tx: Tx, id: string, rule: Partial<WrittenRule> & { enabled?: boolean }) =>
  tx.updateTable('alarm_rules').set(rule).where('id', '=', id).execute();

/** Holds a rule while it is changed: neither is it gone meanwhile, nor changed by somebody else. */
export const holdRule = (tx: Tx, id: string) =>
  tx.selectFrom('alarm_rules').select('id').where('id', '=', id).forUpdate().execute();

export const deleteRule = (tx: Tx, id: string) => tx.deleteFrom('alarm_rules').where('id', '=', id).execute();

/** Whom a rule tells, in place of whom it told. */
export async function writeReceivers(
  tx: Tx,
  ruleId: string,
  receivers: readonly string[],
  escalateTo: readonly string[],
): Promise<void> {
  await tx.deleteFrom('alarm_rule_receivers').where('rule_id', '=', ruleId).execute();
  const rows = [
    ...receivers.map((accountId) => ({ rule_id: ruleId, account_id: accountId, escalates: false })),
    ...escalateTo.map((accountId) => ({ rule_id: ruleId, account_id: accountId, escalates: true })),
  ];
  if (rows.length > 0) await tx.insertInto('alarm_rule_receivers').values(rows).execute();
}

export const leaveRule = (tx: Tx, ruleId: string, accountId: string) =>
  tx.deleteFrom('alarm_rule_receivers').where('rule_id', '=', ruleId).where('account_id', '=', accountId).execute();

/** People who operate plants, at or below the caller's organisation. */
export const operatorsToTell = (
  db: Db,
  scope: Scope,
  { search, ids }: { search: string; ids?: readonly string[] | undefined },
  most: number,
) => {
  const pattern = containing(search);
  return db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .where(visibleAccounts(scope))
    .where('accounts.level', 'in', OPERATORS)
    .where('accounts.disabled_at', 'is', null)
    .select(['accounts.id', 'accounts.username', 'accounts.name', 'organisations.name as organisation'])
    .$if(ids !== undefined, (query) => query.where(sql<SqlBool>`accounts.id = any(${ids ?? []}::uuid[])`))
    .$if(ids === undefined && search !== '', (query) =>
      query.where((eb) => eb.or([eb('accounts.username', 'ilike', pattern), eb('accounts.name', 'ilike', pattern)])),
    )
    .orderBy(sql`lower(accounts.username)`)
    .limit(most)
    .execute();
};

interface Sought {
  readonly search: string;
  readonly ids?: readonly string[] | undefined;
}

export const sitesToChoose = (db: Db, scope: Scope, { search, ids }: Sought, most: number) =>
  db
    .selectFrom('sites')
    .select(['sites.id', 'sites.name', 'sites.city'])
    .where(siteIsVisible(scope))
    .$if(ids !== undefined, (query) => query.where(sql<SqlBool>`sites.id = any(${ids ?? []}::uuid[])`))
    .$if(ids === undefined && search !== '', (query) => query.where('sites.name', 'ilike', containing(search)))
    .orderBy('sites.name')
    .orderBy('sites.id')
    .limit(most)
    .execute();

export const organisationsToChoose = (
  db: Db,
  organisationID: string | undefined,
  { search, ids }: Sought,
  most: number,
) =>
  db
    .selectFrom('organisations')
    .select(['organisations.id', 'organisations.name', 'organisations.country', 'organisations.number'])
    .where('deleted_at', 'is', null)
    .$if(organisationID !== undefined, (query) => query.where(sql<SqlBool>`path @> array[${organisationID}::uuid]`))
    .$if(ids !== undefined, (query) => query.where(sql<SqlBool>`id = any(${ids ?? []}::uuid[])`))
    .$if(ids === undefined && search !== '', (query) => query.where('name', 'ilike', containing(search)))
    .orderBy('name')
    .orderBy('id')
    .limit(most)
    .execute();

export const visibleSite = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('sites')
    .select(['id', 'name'])
    .where('sites.id', '=', id)
    .where(siteIsVisible(scope))
    .executeTakeFirst();
