import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import type { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible, visibleOrganisations } from '../access/scope.ts';
import { FORMER_PASSWORD_MS } from '../broker/credentials.ts';
import { formerEntry, untilWithFormers, withFormers } from '../broker/former-passwords.ts';
import { containing } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { type Sight, seenBy } from './datalogger-list.store.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const visibleSites = (scope: Scope): Expression<SqlBool> =>
  siteIsVisible(scope)(expressionBuilder<Database, 'sites'>());

/** A datalogger that somebody sees, held until the transaction ends. */
export const holdDatalogger = (tx: Tx, sight: Sight, id: string) =>
  tx
    .selectFrom('loggers')
    .select([
      'loggers.id',
      'loggers.sn',
      'loggers.site_id',
      'loggers.organisation_id',
      'loggers.quarantined',
      'loggers.uplink',
    ])
    .select((eb) =>
      eb.selectFrom('sites').select('sites.name').whereRef('sites.id', '=', 'loggers.site_id').as('site_name'),
    )
    .where(seenBy(sight))
    .where('loggers.id', '=', id)
    .forUpdate('loggers')
    .executeTakeFirst();

export type HeldDatalogger = NonNullable<Awaited<ReturnType<typeof holdDatalogger>>>;

/** A plant in scope, which nobody deletes before the transaction ends. */
export const holdSite = (tx: Tx, scope: Scope, id: string) =>
  tx
    .selectFrom('sites')
    .select(['sites.id', 'sites.name', 'sites.organisation_id', 'sites.owner_account_id'])
    .where(visibleSites(scope))
    .where('sites.id', '=', id)
    .forShare('sites')
    .executeTakeFirst();

/** The same without holding it. */
export const siteInScope = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('sites')
    .select(['sites.id', 'sites.owner_account_id'])
    .where(visibleSites(scope))
    .where('sites.id', '=', id)
    .executeTakeFirst();

/** Plants in scope that the caller may edit, by a part of their name or by their ids. */
export function plantsToChoose(
  db: Db,
  scope: Scope,
  { search, ids, organisationID }: Parsed<typeof dataloggerEndpoints.plants>,
) {
  let query = db
    .selectFrom('sites')
    .select(['sites.id', 'sites.name', 'sites.city as detail'])
    .where(visibleSites(scope))
    .orderBy('sites.name')
    .orderBy('sites.id')
    .limit(MOST_CHOICES);
  if (scope.kind === 'owner') query = query.where('sites.owner_account_id', '=', scope.accountId);
  if (ids !== undefined) query = query.where(sql<SqlBool>`sites.id = any(${ids}::uuid[])`);
  if (search !== '') query = query.where(sql<SqlBool>`lower(sites.name) like lower(${containing(search)})`);
  if (organisationID !== undefined) query = query.where('sites.organisation_id', '=', organisationID);
  return query.execute();
}

export const organisationInScope = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('organisations')
    .select(['organisations.id', 'organisations.name'])
    .where(visibleOrganisations(scope))
    .where('organisations.id', '=', id)
    .executeTakeFirst();

export const platformOrganisationOf = (db: Db) =>
  db
    .selectFrom('organisations')
    .select(['id', 'name'])
    .where('kind', '=', 'platform')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** Takes it off its plant; who looked after that still sees it. */
export const takeOff = (tx: Tx, id: string) =>
  tx.updateTable('loggers').set({ site_id: null }).where('id', '=', id).execute();

export const shutOut = (tx: Tx, id: string, at: Date) =>
  tx.updateTable('loggers').set({ revoked_at: at }).where('id', '=', id).execute();

/** Gives a datalogger a new password; the one before, and one that it was offered, stay good for a day, older ones as long as they would have. Answers
 * until when, null where there was none. */
export async function givePassword(tx: Tx, id: string, tokenHash: Buffer, nowMs: number): Promise<Date | null> {
  const until = sql`${new Date(nowMs + FORMER_PASSWORD_MS)}::timestamptz`;
  const formers = withFormers([
    // Of the provisioning key where it has none of its own.
    formerEntry(sql`coalesce(token_hash, provisioned_by)`, until),
    formerEntry(sql`case when next_token_until > now() then next_token_hash end`, until),
  ]);
  const { rows } = await sql<{ until: Date | null }>`
    update loggers set token_hash = ${tokenHash}, former_token_hash = ${formers},
      next_token_hash = null, next_token_until = null, next_token_command = null,
      former_token_until = case when ${formers} is not null then ${untilWithFormers(until)} end
    where id = ${id} returning former_token_until as until`.execute(tx);
  return rows[0]?.until ?? null;
}

/** Lets a datalogger out of quarantine, to an organisation or a plant of it. */
export async function letIn(
  tx: Tx,
  held: HeldDatalogger,
  organisationID: string,
  siteId: string | null,
): Promise<void> {
  await tx
    .updateTable('loggers')
    .set({ quarantined: false, organisation_id: organisationID, site_id: siteId })
    .where('id', '=', held.id)
    .execute();
  // Its new organisation links it without a key from now on.
  await sql`insert into logger_keys (sn, organisation_id) values (${held.sn}, ${organisationID})
    on conflict (sn) do update set organisation_id = excluded.organisation_id`.execute(tx);
}

export const countDevicesBehind = async (db: Db, id: string): Promise<number> => {
  const { count } = await db
    .selectFrom('devices')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('logger_id', '=', id)
    .where(sql<SqlBool>`deleted_at is null`)
    .executeTakeFirstOrThrow();
  return count;
};

/** Whether something that ends with a new connection is still open of a datalogger: a restart, or a new password. */
export const hasOpenOrder = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx
    .selectFrom('commands')
    .select('id')
    .where('logger_id', '=', id)
    .where('device_id', 'is', null)
    .where('state', 'in', ['queued', 'sent', 'acknowledged'])
    .where(sql<SqlBool>`content ->> 'action' in ('Reboot', 'NewCredential')`)
    .executeTakeFirst()) !== undefined;
