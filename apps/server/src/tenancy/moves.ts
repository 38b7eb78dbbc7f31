import { type Kysely, sql, type Transaction } from 'kysely';
import { CallError } from '../http/call-error.ts';
import { LIVE_CHANNEL, TENANCY_CHANGED } from '../live/live-bus.ts';
import type { Database } from '../stores/schema.ts';
import {
  changedRows,
  changesSince,
  type ImagedTable,
  imagesOf,
  type RowImage,
  type RowImages,
  writeBack,
} from './images.ts';

type Tx = Transaction<Database>;

export interface SitesTarget {
  readonly organisationId?: string;
  /** null: nobody owns them any more. */
  readonly ownerAccountId?: string | null;
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

/** Moves sites that are not deleted, with their loggers, and answers what changed. */
export async function moveSites(tx: Tx, siteIds: readonly string[], to: SitesTarget): Promise<RowImages> {
  const { organisationId, ownerAccountId } = to;
  if (siteIds.length === 0 || (organisationId === undefined && ownerAccountId === undefined)) return [];
  if (organisationId !== undefined) await holdOrganisation(tx, organisationId);
  const loggerIds = await loggersOf(tx, siteIds);
  const before = await imagesOf(tx, { sites: siteIds, loggers: loggerIds });
  await tx
    .updateTable('sites')
    .set({
      ...(organisationId !== undefined && { organisation_id: organisationId }),
      ...(ownerAccountId !== undefined && { owner_account_id: ownerAccountId }),
    })
    .where(sql<boolean>`id = any(${siteIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  if (organisationId !== undefined) {
    await sql`update loggers set organisation_id = sites.organisation_id from sites
      where sites.id = loggers.site_id and sites.deleted_at is null and loggers.id = any(${loggerIds}::uuid[])`.execute(
      tx,
    );
  }
  await tenancyChanged(tx);
  return changesSince(tx, before);
}

/** Moves accounts to another organisation and answers what changed. */
export async function moveAccounts(tx: Tx, accountIds: readonly string[], organisationId: string): Promise<RowImages> {
  if (accountIds.length === 0) return [];
  await holdOrganisation(tx, organisationId);
  const before = await imagesOf(tx, { accounts: accountIds });
  await tx
    .updateTable('accounts')
    .set({ organisation_id: organisationId, department_id: null })
    .where(sql<boolean>`id = any(${accountIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  await tenancyChanged(tx);
  return changesSince(tx, before);
}

async function loggersOf(tx: Tx, siteIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('loggers')
    .select('id')
    .where(sql<boolean>`site_id = any(${siteIds}::uuid[])`)
    .execute();
  return rows.map(({ id }) => id);
}

/** Nearest organisation above that is not deleted, of the first of these kinds that there is; the platform at last. */
export async function nearestAbove(
  db: Kysely<Database>,
  organisationId: string,
  kinds: readonly ('agent' | 'distributor' | 'installer')[],
): Promise<string> {
  const { rows } = await sql<{ id: string; kind: string }>`
    select above.id, above.kind from organisations own
    join organisations above on above.id = any(own.path) and above.id <> own.id and above.deleted_at is null
    where own.id = ${organisationId} order by cardinality(above.path) desc`.execute(db);
  for (const kind of kinds) {
    const match = rows.find((row) => row.kind === kind);
    if (match !== undefined) return match.id;
  }
  const platform = rows.find(({ kind }) => kind === 'platform')?.id;
  return platform ?? organisationId;
}

/** The agent responsible for what hangs under an organisation: itself or the nearest agent above, else the distributor, else the platform. */
export async function agentOf(db: Kysely<Database>, organisationId: string): Promise<string> {
  const own = await db
    .selectFrom('organisations')
    .select('kind')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow();
  return own.kind === 'installer' ? nearestAbove(db, organisationId, ['agent', 'distributor']) : organisationId;
}

/**
 * Makes rows what they were. Refuses with 42140 and the records in the way where rows changed since, with 42141 where the
 * place they would return to is gone, with 42142 where a user name or e-mail has been given to somebody else.
 */
export async function restore(tx: Tx, deleted: RowImages): Promise<void> {
  await holdPlaces(tx, deleted);
  const images = await inDepartmentsLeft(tx, deleted);
  const changed = await changedRows(tx, images);
  if (changed.length > 0) throw new CallError('changedSince', { obstacles: await named(tx, changed) });
  await refuseTakenNames(tx, images);
  await writeBack(tx, images);
  const homeless = await withoutPlace(tx, images);
  if (homeless.length > 0) throw new CallError('placeGone', { obstacles: homeless });
  await tenancyChanged(tx);
}

const textsOf = (images: RowImages, table: ImagedTable, column: string): string[] =>
  images
    .filter((image) => image.table === table)
    .map(({ before }) => before[column])
    .filter((value) => typeof value === 'string');

/** Holds what returns and where it returns to, from below upwards: nobody deletes a place while something comes back to it. */
async function holdPlaces(tx: Tx, images: RowImages): Promise<void> {
  const organisations = idsIn(images, 'organisations');
  await imagesOf(tx, { organisations });
  const places = [
    ...textsOf(images, 'accounts', 'organisation_id'),
    ...textsOf(images, 'sites', 'organisation_id'),
    ...textsOf(images, 'loggers', 'organisation_id'),
  ];
  await sql`
    select id from organisations
    where id = any(${places}::uuid[])
      or id in (select parent_id from organisations own where own.id = any(${organisations}::uuid[]))
    order by cardinality(path) desc, id for share`.execute(tx);
  const owners = textsOf(images, 'sites', 'owner_account_id');
  await imagesOf(tx, { accounts: [...new Set([...idsIn(images, 'accounts'), ...owners])] });
}

/** Images whose accounts, held by the caller, are in no department that was deleted since; its members are in none then. */
async function inDepartmentsLeft(tx: Tx, images: RowImages): Promise<RowImages> {
  const named = textsOf(images, 'accounts', 'department_id');
  if (named.length === 0) return images;
  const { rows } = await sql<{ id: string }>`
    select id from departments where id = any(${named}::uuid[])`.execute(tx);
  const left = new Set<unknown>(rows.map(({ id }) => id));
  const inLeft = (row: RowImage['before']) => (left.has(row.department_id) ? row : { ...row, department_id: null });
  return images.map((image) =>
    image.table === 'accounts' ? { ...image, before: inLeft(image.before), after: inLeft(image.after) } : image,
  );
}

const kindOf = {
  organisations: 'organisation',
  accounts: 'account',
  sites: 'site',
  loggers: 'datalogger',
} as const satisfies Record<ImagedTable, Obstacle['kind']>;
const nameColumn = { organisations: 'name', accounts: 'username', sites: 'name', loggers: 'sn' } as const;
const MOST_NAMED = 20;

async function named(tx: Tx, rows: readonly { table: ImagedTable; id: string }[]): Promise<Obstacle[]> {
  const obstacles: Obstacle[] = [];
  for (const { table, id } of rows.slice(0, MOST_NAMED)) {
    const { rows: found } = await sql<{ name: string }>`
      select ${sql.ref(nameColumn[table])} as name from ${sql.table(table)} where id = ${id}`.execute(tx);
    obstacles.push({ kind: kindOf[table], id, name: found[0]?.name ?? '' });
  }
  return obstacles;
}

const idsIn = (images: RowImages, table: ImagedTable): string[] =>
  images.filter((image) => image.table === table).map(({ id }) => id);

async function refuseTakenNames(tx: Tx, images: RowImages): Promise<void> {
  const returning = images
    .filter(
      ({ table, before, after }) => table === 'accounts' && before.deleted_at === null && after.deleted_at !== null,
    )
    .map(({ id }) => id);
  if (returning.length === 0) return;
  const { rows } = await sql<{ id: string; name: string }>`
    select back.id, back.username as name from accounts back
    where back.id = any(${returning}::uuid[]) and exists (
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
async function withoutPlace(tx: Tx, images: RowImages): Promise<Obstacle[]> {
  const { rows } = await sql<Obstacle>`
    select 'organisation' as kind, own.id, own.name from organisations own
      join organisations parent on parent.id = own.parent_id and parent.deleted_at is not null
      where own.deleted_at is null and own.id = any(${idsIn(images, 'organisations')}::uuid[])
    union all
    select 'account', own.id, own.username from accounts own
      join organisations place on place.id = own.organisation_id and place.deleted_at is not null
      where own.deleted_at is null and own.id = any(${idsIn(images, 'accounts')}::uuid[])
    union all
    select 'site', own.id, own.name from sites own
      join organisations place on place.id = own.organisation_id
      left join accounts owner on owner.id = own.owner_account_id
      where own.deleted_at is null and own.id = any(${idsIn(images, 'sites')}::uuid[])
        and (place.deleted_at is not null or owner.deleted_at is not null)
    limit ${MOST_NAMED}`.execute(tx);
  return rows;
}
