import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { LIVE_CHANNEL, TENANCY_CHANGED } from '../changes/live-bus.ts';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';
import { type ChangedRow, changedSince, holdRows, type ImagedTable, idsOf, writeBack } from './images.ts';

type Tx = Transaction<Database>;

export interface SitesTarget {
  readonly organisationID?: string;
  /** null: nobody owns them any more. */
  readonly ownerAccountId?: string | null;
  /** The change that this is part of: undoing it gives back the shares that end here. */
  readonly change?: string;
}

/** A record that stands in the way of an undo. */
export interface Obstacle {
  readonly kind: 'organisation' | 'account' | 'site' | 'datalogger';
  readonly id: string;
  readonly name: string;
}

/** Tells the live streams, once the transaction commits, to look again at their session and at what they may see. */
export const tenancyChanged = (tx: Tx): Promise<unknown> =>
  sql`select pg_notify(${LIVE_CHANNEL}, ${TENANCY_CHANGED})`.execute(tx);

/**
 * Holds an organisation under which something is about to be put: nobody deletes it before the transaction ends. Refuses
 * where it does not exist any more.
 */
export async function holdOrganisation(tx: Tx, id: string): Promise<void> {
  const row = await tx
    .selectFrom('organisations')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  if (row === undefined) throw new CallError('organisationNotFound');
}

/** Moves sites that are not deleted, with their loggers. */
export async function moveSites(tx: Tx, siteIds: readonly string[], to: SitesTarget): Promise<void> {
  const { organisationID, ownerAccountId, change = null } = to;
  if (siteIds.length === 0 || (organisationID === undefined && ownerAccountId === undefined)) return;
  if (organisationID !== undefined) await holdOrganisation(tx, organisationID);
  await holdRows(tx, { sites: siteIds, loggers: dataloggersOf(siteIds) });
  if (ownerAccountId !== undefined) await endSharesOfFormerOwners(tx, siteIds, ownerAccountId, change);
  await tx
    .updateTable('sites')
    .set({
      ...(organisationID !== undefined && { organisation_id: organisationID }),
      ...(ownerAccountId !== undefined && { owner_account_id: ownerAccountId }),
    })
    .where(sql<boolean>`id = any(${siteIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  if (organisationID !== undefined) {
    await sql`update loggers set organisation_id = sites.organisation_id from sites
      where sites.id = loggers.site_id and sites.deleted_at is null and sites.id = any(${siteIds}::uuid[])`.execute(tx);
  }
  await tenancyChanged(tx);
}

/** A new owner decides anew with whom a plant is shared. */
const endSharesOfFormerOwners = (
  tx: Tx,
  siteIds: readonly string[],
  ownerAccountId: string | null,
  change: string | null,
): Promise<unknown> =>
  sql`update site_shares set ended_at = now(), ended_by_change = ${change} from sites
    where sites.id = site_shares.site_id and sites.id = any(${siteIds}::uuid[]) and sites.deleted_at is null
      and sites.owner_account_id is distinct from ${ownerAccountId}::uuid and site_shares.ended_at is null`.execute(tx);

/** Shares that ended with a change stand again, but for those of who was given the plant anew or owns it. */
const giveBackShares = (tx: Tx, change: string): Promise<unknown> =>
  sql`update site_shares back set ended_at = null, ended_by_change = null from sites
    where back.ended_by_change = ${change} and sites.id = back.site_id
      and sites.owner_account_id is distinct from back.account_id
      and not exists (select from site_shares standing where standing.site_id = back.site_id
        and standing.account_id = back.account_id and standing.ended_at is null)`.execute(tx);

/** Dataloggers of plants, as a condition on `t`. */
export const dataloggersOf = (siteIds: readonly string[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`t.site_id = any(${siteIds}::uuid[])`;

/** Moves accounts to another organisation. */
export async function moveAccounts(tx: Tx, accountIds: readonly string[], organisationID: string): Promise<void> {
  if (accountIds.length === 0) return;
  await holdOrganisation(tx, organisationID);
  await holdRows(tx, { accounts: accountIds });
  await tx
    .updateTable('accounts')
    .set({ organisation_id: organisationID, department_id: null })
    .where(sql<boolean>`id = any(${accountIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  await tenancyChanged(tx);
}

/** Nearest organisation above that is not deleted, of the first of these kinds that there is; the platform at last. */
export async function nearestAbove(
  db: Kysely<Database>,
  organisationID: string,
  kinds: readonly ('agent' | 'distributor' | 'installer')[],
): Promise<string> {
  const { rows } = await sql<{ id: string; kind: string }>`
    select above.id, above.kind from organisations own
    join organisations above on above.id = any(own.path) and above.id <> own.id and above.deleted_at is null
    where own.id = ${organisationID} order by cardinality(above.path) desc`.execute(db);
  for (const kind of kinds) {
    const match = rows.find((row) => row.kind === kind);
    if (match !== undefined) return match.id;
  }
  const platform = rows.find(({ kind }) => kind === 'platform')?.id;
  return platform ?? organisationID;
}

/** The agent responsible for what hangs under an organisation: itself or the nearest agent above, else the distributor, else the platform. */
export async function agentOf(db: Kysely<Database>, organisationID: string): Promise<string> {
  const own = await db
    .selectFrom('organisations')
    .select('kind')
    .where('id', '=', organisationID)
    .executeTakeFirstOrThrow();
  return own.kind === 'installer' ? nearestAbove(db, organisationID, ['agent', 'distributor']) : organisationID;
}

/**
 * Makes the rows of a change what they were. Refuses with 42140 and the records in the way where rows changed since, with 42141
 * where the place they would return to is gone, with 42142 where a user name or e-mail has been given to somebody else.
 */
export async function restore(tx: Tx, change: string): Promise<void> {
  await holdPlaces(tx, change);
  await leaveLostDepartments(tx, change);
  const changed = await changedSince(tx, change, MOST_NAMED);
  if (changed.length > 0) throw new CallError('changedSince', { obstacles: await named(tx, changed) });
  await refuseTakenNames(tx, change);
  await writeBack(tx, change);
  const homeless = await withoutPlace(tx, change);
  if (homeless.length > 0) throw new CallError('placeGone', { obstacles: homeless });
  await giveBackShares(tx, change);
  await recalculateReturned(tx, change);
  await tenancyChanged(tx);
}

const wereIn = (change: string, table: ImagedTable, column: string): RawBuilder<string> =>
  sql`select (before ->> ${column})::uuid from row_images where change_id = ${change} and table_name = ${table}`;

/** While a plant was deleted its devices recorded, and nothing was summed up for it. */
const recalculateReturned = (tx: Tx, change: string): Promise<unknown> =>
  sql`insert into recalculations (site_id, depth, from_at)
    select row_id, 'devices', (after ->> 'deleted_at')::timestamptz from row_images
    where change_id = ${change} and table_name = 'sites' and before ->> 'deleted_at' is null
      and after ->> 'deleted_at' is not null
      and exists (select from devices where devices.site_id = row_images.row_id and devices.deleted_at is null)`.execute(
    tx,
  );

/** Holds what returns and where it returns to, from below upwards: nobody deletes a place while something comes back to it. */
async function holdPlaces(tx: Tx, change: string): Promise<void> {
  const organisations = idsOf(change, 'organisations');
  await holdRows(tx, { organisations: sql<SqlBool>`t.id in (${organisations})` });
  await sql`
    select id from organisations
    where id in (${wereIn(change, 'accounts', 'organisation_id')} union ${wereIn(change, 'sites', 'organisation_id')}
        union ${wereIn(change, 'loggers', 'organisation_id')})
      or id in (select parent_id from organisations own where own.id in (${organisations}))
    order by cardinality(path) desc, id for share`.execute(tx);
  const owners = wereIn(change, 'sites', 'owner_account_id');
  await holdRows(tx, { accounts: sql<SqlBool>`t.id in (${idsOf(change, 'accounts')} union ${owners})` });
}

/** A department that was deleted since has no members any more: neither has it when its accounts return. */
async function leaveLostDepartments(tx: Tx, change: string): Promise<void> {
  const isLost = (image: 'before' | 'after') =>
    sql`not exists (select from departments where id::text = ${sql.ref(image)} ->> 'department_id')`;
  for (const image of ['before', 'after'] as const) {
    await sql`
      update row_images set ${sql.ref(image)} = ${sql.ref(image)} || '{"department_id": null}'
      where change_id = ${change} and table_name = 'accounts' and ${sql.ref(image)} ->> 'department_id' is not null
        and ${isLost(image)}`.execute(tx);
  }
}

const kindOf = {
  organisations: 'organisation',
  accounts: 'account',
  sites: 'site',
  loggers: 'datalogger',
} as const satisfies Record<ImagedTable, Obstacle['kind']>;
const nameColumn = { organisations: 'name', accounts: 'username', sites: 'name', loggers: 'sn' } as const;
const MOST_NAMED = 20;

async function named(tx: Tx, rows: readonly Pick<ChangedRow, 'table' | 'id'>[]): Promise<Obstacle[]> {
  const obstacles: Obstacle[] = [];
  for (const { table, id } of rows) {
    const { rows: found } = await sql<{ name: string }>`
      select ${sql.ref(nameColumn[table])} as name from ${sql.table(table)} where id = ${id}`.execute(tx);
    obstacles.push({ kind: kindOf[table], id, name: found[0]?.name ?? '' });
  }
  return obstacles;
}

async function refuseTakenNames(tx: Tx, change: string): Promise<void> {
  const { rows } = await sql<{ id: string; name: string }>`
    select back.id, back.username as name from accounts back
    where back.deleted_at is not null and back.id in (select row_id from row_images
        where change_id = ${change} and table_name = 'accounts' and before ->> 'deleted_at' is null)
      and exists (
      select from accounts other where other.deleted_at is null and other.id <> back.id
      and (lower(other.username) = lower(back.username) or (lower(other.email) = lower(back.email)
        and other.email_confirmed_at is not null and back.email_confirmed_at is not null)))
    order by back.username limit ${MOST_NAMED}`.execute(tx);
  if (rows.length > 0)
    throw new CallError('nameTakenSince', {
      obstacles: rows.map(({ id, name }): Obstacle => ({ kind: 'account', id, name })),
    });
}

/** Living records whose organisation, parent or owner is not. */
async function withoutPlace(tx: Tx, change: string): Promise<Obstacle[]> {
  const { rows } = await sql<Obstacle>`
    select 'organisation' as kind, own.id, own.name from organisations own
      join organisations parent on parent.id = own.parent_id and parent.deleted_at is not null
      where own.deleted_at is null and own.id in (${idsOf(change, 'organisations')})
    union all
    select 'account', own.id, own.username from accounts own
      join organisations place on place.id = own.organisation_id and place.deleted_at is not null
      where own.deleted_at is null and own.id in (${idsOf(change, 'accounts')})
    union all
    select 'site', own.id, own.name from sites own
      join organisations place on place.id = own.organisation_id
      left join accounts owner on owner.id = own.owner_account_id
      where own.deleted_at is null and own.id in (${idsOf(change, 'sites')})
        and (place.deleted_at is not null or owner.deleted_at is not null)
    limit ${MOST_NAMED}`.execute(tx);
  return rows;
}
