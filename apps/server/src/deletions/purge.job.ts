import type { ClickHouseClient } from '@clickhouse/client';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { recordAudit } from '../audit/audit.ts';
import { recordPlatformIn } from '../audit/platform.ts';
import { clearTelemetry } from '../stores/clear-telemetry.ts';
import type { Database } from '../stores/schema.ts';
import { type ImagedTable, type RowImages, storedImages } from '../tenancy/images.ts';
import { summaryOf } from './deletions.service.ts';

type Tx = Transaction<Database>;

export interface PurgeParts {
  readonly db: Kysely<Database>;
  readonly telemetry: ClickHouseClient;
  readonly logger: Logger;
}

/** Ingestion has forgotten a plant for certain this long after its dataloggers were taken off it. */
const FORGOTTEN_AFTER_MS = 3_600_000;

/**
 * Removes for good what was deleted more than 30 days ago. First the records are cut off: plants lose their
 * dataloggers, devices get a new key under which nothing was recorded, accounts lose all that is personal. The rows go
 * with a later run, when ingestion writes nothing for these plants any more.
 */
export async function purgeDeletions(parts: PurgeParts, nowMs: number): Promise<void> {
  await removeRows(parts, nowMs);
  const due = await parts.db
    .selectFrom('deletions')
    .select('id')
    .where('undone_at', 'is', null)
    .where('cut_off_at', 'is', null)
    .where('undo_until', '<=', new Date(nowMs))
    .orderBy('undo_until')
    .execute();
  for (const { id } of due) await cutOff(parts, id, nowMs);
}

const deletedIds = (images: RowImages, table: ImagedTable): string[] =>
  images
    .filter((image) => image.table === table && image.before.deleted_at === null && image.after.deleted_at !== null)
    .map(({ id }) => id);

async function cutOff({ db, telemetry, logger }: PurgeParts, id: string, nowMs: number): Promise<void> {
  const cut = await db.transaction().execute(async (tx) => {
    const deletion = await tx
      .selectFrom('deletions')
      .select(['kind', 'record_id', sql<string[]>`organisation_path::text[]`.as('path')])
      .where('id', '=', id)
      .where('undone_at', 'is', null)
      .where('cut_off_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (deletion === undefined) return undefined;
    const images = await storedImages(tx, 'deletions', id);
    const keys = await cutOffSites(tx, deletedIds(images, 'sites'));
    const accountIds = deletedIds(images, 'accounts');
    await stripAccounts(tx, accountIds);
    await tx
      .updateTable('deletions')
      .set({
        cut_off_at: new Date(nowMs),
        ...(accountIds.includes(deletion.record_id) && { record_name: '' }),
      })
      .where('id', '=', id)
      .execute();
    await recordAudit(
      tx,
      {},
      {
        log: 'platform',
        action: 'deletions.purge',
        recordKind: deletion.kind,
        recordId: deletion.record_id,
        recordName: '',
        organisationPath: deletion.path,
        before: { ...summaryOf(images) },
      },
    );
    return keys;
  });
  if (cut === undefined) return;
  await clearTelemetry(telemetry, cut.siteKeys, cut.deviceKeys).catch((error: unknown) =>
    logger.warn({ err: error }, 'telemetry of purged plants is not wholly removed'),
  );
}

async function cutOffSites(tx: Tx, ids: readonly string[]): Promise<{ siteKeys: number[]; deviceKeys: number[] }> {
  const sites = await tx
    .selectFrom('sites')
    .select('key')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is not', null)
    .execute();
  const devices = await tx
    .selectFrom('devices')
    .select(['id', 'key'])
    .where(sql<boolean>`site_id = any(${ids}::uuid[])`)
    .execute();
  const deviceIds = devices.map((device) => device.id);
  await tx.deleteFrom('device_grants').where(sql<boolean>`device_id = any(${deviceIds}::uuid[])`).execute();
  await tx
    .deleteFrom('alarms')
    .where(sql<boolean>`site_id = any(${ids}::uuid[]) or device_id = any(${deviceIds}::uuid[])`)
    .execute();
  await tx.deleteFrom('device_events').where(sql<boolean>`device_id = any(${deviceIds}::uuid[])`).execute();
  await tx.deleteFrom('device_latest').where(sql<boolean>`device_id = any(${deviceIds}::uuid[])`).execute();
  await sql`update devices set site_id = null, key = default, opening = '{}', learned = '{}'
    where id = any(${deviceIds}::uuid[])`.execute(tx);
  await tx
    .updateTable('loggers')
    .set({ site_id: null, organisation_id: null })
    .where(sql<boolean>`site_id = any(${ids}::uuid[])`)
    .execute();
  return { siteKeys: sites.map(({ key }) => key), deviceKeys: devices.map(({ key }) => key) };
}

/** Leaves of an account what keeps its rows apart, and nothing that says whose it was. */
async function stripAccounts(tx: Tx, ids: readonly string[]): Promise<void> {
  const those = sql<boolean>`account_id = any(${ids}::uuid[])`;
  await tx.deleteFrom('sessions').where(those).execute();
  await tx.deleteFrom('api_keys').where(those).execute();
  await tx.deleteFrom('notification_channels').where(those).execute();
  await tx.deleteFrom('password_resets').where(those).execute();
  await tx.deleteFrom('email_confirmations').where(those).execute();
  await tx.deleteFrom('site_shares').where(those).execute();
  await tx.deleteFrom('device_grants').where(those).execute();
  await tx.deleteFrom('account_groups').where(those).execute();
  await sql`delete from mails where recipient in (select email from accounts where id = any(${ids}::uuid[]))`.execute(
    tx,
  );
  await sql`
    update accounts set username = 'purged-' || id, email = '', phone = '', name = '', country = '', city = '',
      address = '', postcode = '', introduction = '', note = '', client_id = '', password_hash = '', language = null,
      time_zone = null, last_sign_in_at = null, department_id = null
    where id = any(${ids}::uuid[]) and deleted_at is not null`.execute(tx);
}

/** Takes away the rows of what was cut off in an earlier run, as far as nothing that stays refers to them. */
async function removeRows({ db }: PurgeParts, nowMs: number): Promise<void> {
  const forgotten = await db
    .selectFrom('deletions')
    .select('id')
    .where('purged_at', 'is', null)
    .where('cut_off_at', '<=', new Date(nowMs - FORGOTTEN_AFTER_MS))
    .execute();
  for (const { id } of forgotten) {
    await db.transaction().execute(async (tx) => {
      const images = await storedImages(tx, 'deletions', id);
      const siteIds = deletedIds(images, 'sites');
      await tx
        .deleteFrom('sites')
        .where(sql<boolean>`id = any(${siteIds}::uuid[])`)
        .where('deleted_at', 'is not', null)
        .execute();
      await removeAccounts(tx, deletedIds(images, 'accounts'));
      await removeOrganisations(tx, deletedIds(images, 'organisations'));
      await tx
        .updateTable('deletions')
        .set({ purged_at: new Date(nowMs), rows: '[]' })
        .where('id', '=', id)
        .execute();
      await recordPlatformIn(tx, 'platform.purge', { deletion: id, ...summaryOf(images) });
    });
  }
}

async function removeAccounts(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('deletions')
    .set({ deleted_by: null })
    .where(sql<boolean>`deleted_by = any(${ids}::uuid[])`)
    .execute();
  await sql`
    delete from accounts a where a.id = any(${ids}::uuid[]) and a.deleted_at is not null
      and not exists (select from sites where owner_account_id = a.id)
      and not exists (select from sessions where view_account_id = a.id)
      and not exists (select from account_migrations m
        where a.id in (m.source_account_id, m.target_account_id, m.operated_by))`.execute(tx);
}

/** What history still names stays as a row without a name; it can be seen by nobody. */
async function removeOrganisations(tx: Tx, ids: readonly string[]): Promise<void> {
  const those = sql<boolean>`organisation_id = any(${ids}::uuid[])`;
  await tx.deleteFrom('permission_groups').where(those).execute();
  await sql`
    delete from departments where organisation_id = any(${ids}::uuid[])
      and not exists (select from accounts where department_id = departments.id)`.execute(tx);
  await tx.deleteFrom('provisioning_keys').where(those).execute();
  await tx.updateTable('loggers').set({ organisation_id: null }).where(those).execute();
  await sql`
    delete from organisations o where o.id = any(${ids}::uuid[]) and o.deleted_at is not null
      and not exists (select from accounts where organisation_id = o.id)
      and not exists (select from sites where organisation_id = o.id)
      and not exists (select from departments where organisation_id = o.id)
      and not exists (select from sessions where view_organisation_id = o.id)
      and not exists (select from organisations below where below.parent_id = o.id)`.execute(tx);
  await sql`
    update organisations set name = '', email = '', phone = '', note = ''
    where id = any(${ids}::uuid[]) and deleted_at is not null`.execute(tx);
}
