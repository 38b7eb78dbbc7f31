import type { ClickHouseClient } from '@clickhouse/client';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { recordAudit } from '../audit/audit.ts';
import { recordPlatformIn } from '../audit/platform.ts';
import { clearTelemetry } from '../stores/clear-telemetry.ts';
import type { Database } from '../stores/schema.ts';
import { deletedParts, forgetImages, shutOutParts } from '../tenancy/images.ts';
import { cutOffHistory } from './cleared-history.store.ts';
import { recordKindOf, summaryOf } from './deletions.service.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

export interface PurgeParts {
  readonly db: Db;
  readonly telemetry: ClickHouseClient;
  readonly logger: Logger;
  readonly ending: AbortSignal;
}

/** Ingestion has forgotten a plant for certain this long after its dataloggers were taken off it. */
const FORGOTTEN_AFTER_MS = 3_600_000;
/** Keys of one order to the telemetry store, which rewrites what holds any of them. */
const KEYS_AT_ONCE = 10_000;

/**
 * Removes for good what was deleted more than 30 days ago. First the records are cut off: plants lose their
 * dataloggers, devices get a new key under which nothing was recorded, accounts lose all that is personal. The rows go
 * with a later run, when ingestion writes nothing for these plants any more. Both in parts of a thousand records, each in
 * a transaction of its own, so that nobody waits for long; a run that is interrupted is continued by the next.
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
  for (const { id } of due) {
    if (parts.ending.aborted) return;
    await cutOff(parts, id, nowMs);
  }
  await clearNoted(parts).catch((error: unknown) =>
    parts.logger.warn({ err: error }, 'telemetry of purged plants is not wholly removed yet, the next run goes on'),
  );
}

async function cutOff({ db }: PurgeParts, id: string, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  const deletion = await db
    .updateTable('deletions')
    .set({ cutting_at: sql<Date>`coalesce(cutting_at, ${now})` })
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .where('cut_off_at', 'is', null)
    .returning(['kind', 'record_id', sql<string[]>`organisation_path::text[]`.as('path')])
    .executeTakeFirst();
  if (deletion === undefined) return;
  for await (const ids of deletedParts(db, id, 'sites')) await db.transaction().execute((tx) => cutOffSites(tx, ids));
  for await (const ids of shutOutParts(db, id)) await db.transaction().execute((tx) => cutOffDataloggers(tx, ids));
  let isOfItself = false;
  for await (const ids of deletedParts(db, id, 'accounts')) {
    await db.transaction().execute((tx) => stripAccounts(tx, ids));
    isOfItself ||= ids.includes(deletion.record_id);
  }
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('deletions')
      .set({ cut_off_at: now, ...(isOfItself && { record_name: '' }) })
      .where('id', '=', id)
      .where('cut_off_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await cutOffHistory(tx, id);
    await recordAudit(
      tx,
      {},
      {
        log: 'platform',
        action: 'deletions.purge',
        recordKind: recordKindOf(deletion.kind),
        recordId: deletion.record_id,
        recordName: '',
        organisationPath: deletion.path,
        before: { ...(await summaryOf(tx, id)) },
      },
    );
  });
}

/** The keys under which they recorded are noted with it, so that what was recorded goes even if this process ends meanwhile. */
async function cutOffSites(tx: Tx, ids: readonly string[]): Promise<void> {
  const devices = await tx
    .selectFrom('devices')
    .select('id')
    .where(sql<boolean>`site_id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
  const deviceIds = devices.map((device) => device.id);
  await sql`
    insert into telemetry_to_clear (kind, key)
    select 'site', key from sites where id = any(${ids}::uuid[]) and deleted_at is not null
    union all select 'device', key from devices where id = any(${deviceIds}::uuid[])
    on conflict do nothing`.execute(tx);
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
  // Devices that leave a plant ask for its figures to be made anew; of these nobody will look at any.
  await tx.deleteFrom('recalculations').where(sql<boolean>`site_id = any(${ids}::uuid[])`).execute();
}

/** Nothing is left of dataloggers that were deleted but their numbers and what their devices recorded: they can be imported anew. */
async function cutOffDataloggers(tx: Tx, ids: readonly string[]): Promise<void> {
  const those = sql<boolean>`id = any(${ids}::uuid[]) and revoked_at is not null`;
  await sql`delete from logger_keys where sn in (select sn from loggers where ${those})`.execute(tx);
  await tx
    .updateTable('loggers')
    .set({
      site_id: null,
      organisation_id: null,
      token_hash: null,
      former_token_hash: null,
      former_token_until: null,
      next_token_hash: null,
      next_token_until: null,
      next_token_command: null,
      provisioned_by: null,
      ip: '',
    })
    .where(those)
    .execute();
}

async function clearNoted({ db, telemetry, ending }: PurgeParts): Promise<void> {
  while (!ending.aborted) {
    const { rows } = await sql<{ kind: 'site' | 'device'; keys: number[] }>`
      select kind, array_agg(key) as keys from (select kind, key from telemetry_to_clear limit ${KEYS_AT_ONCE}) noted
      group by kind`.execute(db);
    if (rows.length === 0) return;
    const keysOf = (wanted: 'site' | 'device') => rows.find(({ kind }) => kind === wanted)?.keys ?? [];
    await clearTelemetry(telemetry, keysOf('site'), keysOf('device'));
    for (const { kind, keys } of rows) {
      await sql`delete from telemetry_to_clear where kind = ${kind} and key = any(${keys}::int[])`.execute(db);
    }
  }
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
  await tx.deleteFrom('saved_views').where(those).execute();
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
    for await (const ids of deletedParts(db, id, 'sites')) {
      await db
        .deleteFrom('sites')
        .where(sql<boolean>`id = any(${ids}::uuid[])`)
        .where('deleted_at', 'is not', null)
        .execute();
    }
    for await (const ids of deletedParts(db, id, 'accounts')) {
      await db.transaction().execute((tx) => removeAccounts(tx, ids));
    }
    await db.transaction().execute(async (tx) => {
      for await (const ids of deletedParts(tx, id, 'organisations')) await removeOrganisations(tx, ids);
      const summary = await summaryOf(tx, id);
      await forgetImages(tx, id);
      await tx
        .updateTable('deletions')
        .set({ purged_at: new Date(nowMs) })
        .where('id', '=', id)
        .execute();
      await recordPlatformIn(tx, 'platform.purge', { deletion: id, ...summary });
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
