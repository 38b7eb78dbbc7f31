import type { ClickHouseClient } from '@clickhouse/client';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { recordPlatformIn } from '../audit/platform.ts';
import { clearTelemetry } from '../stores/clear-telemetry.ts';
import type { Database } from '../stores/schema.ts';
import { removeFactory } from './factory.ts';
import { removeRack } from './rack.ts';
import { removeSpareDataloggers } from './spare-dataloggers.ts';
import { demoOrganisationId, demoOrganisations } from './tenancy.ts';

/** Removes all that the demonstration made, its telemetry included. Loggers that are not the demo's keep their rows, unlinked. */
export async function removeDemo(db: Kysely<Database>, telemetry: ClickHouseClient, logger: Logger): Promise<void> {
  const sites = await db.selectFrom('sites').select(['id', 'key']).where('demo', '=', true).execute();
  const hasAccounts = await db.selectFrom('accounts').select('id').where('demo', '=', true).limit(1).executeTakeFirst();
  if (sites.length === 0 && !hasAccounts) return;
  const siteIds = sites.map(({ id }) => id);
  const organisationIds = demoOrganisations.map(({ key }) => demoOrganisationId(key));
  const ofDemo = await db
    .selectFrom('loggers')
    .innerJoin('devices', 'devices.logger_id', 'loggers.id')
    .select(['devices.key', 'loggers.id as loggerId'])
    .where('loggers.organisation_id', 'in', organisationIds)
    .execute();
  const spareKeys = await db.transaction().execute(async (tx) => {
    const removedKeys = [...(await removeSpareDataloggers(tx)), ...(await removeRack(tx))];
    await removeFactory(tx);
    await tx
      .deleteFrom('devices')
      .where('logger_id', 'in', (eb) =>
        eb.selectFrom('loggers').select('id').where('organisation_id', 'in', organisationIds),
      )
      .execute();
    await tx.deleteFrom('loggers').where('organisation_id', 'in', organisationIds).execute();
    if (siteIds.length > 0) {
      await tx.updateTable('loggers').set({ site_id: null }).where('site_id', 'in', siteIds).execute();
      await tx.updateTable('devices').set({ site_id: null }).where('site_id', 'in', siteIds).execute();
      await tx.deleteFrom('sites').where('id', 'in', siteIds).execute();
    }
    await removePeople(tx, organisationIds);
    await tx.deleteFrom('process_state').where('name', '=', 'demo.history').execute();
    await recordPlatformIn(tx, 'platform.removeDemo', { sites: siteIds.length, devices: ofDemo.length });
    return removedKeys;
  });
  // Keys are never given again, so what is left of these rows after a crash is seen by nobody; the start need not wait.
  const siteKeys = sites.map(({ key }) => key);
  const deviceKeys = [...new Set([...ofDemo.map(({ key }) => key), ...spareKeys])];
  clearTelemetry(telemetry, siteKeys, deviceKeys).catch((error: unknown) =>
    logger.warn({ err: error }, 'telemetry of the demonstration is not wholly removed'),
  );
}

async function removePeople(tx: Transaction<Database>, organisationIds: readonly string[]): Promise<void> {
  const accounts = await tx.selectFrom('accounts').select('id').where('demo', '=', true).execute();
  const accountIds = accounts.map(({ id }) => id);
  if (accountIds.length > 0) {
    await tx.deleteFrom('sessions').where('view_account_id', 'in', accountIds).execute();
    await sql`delete from row_images where change_id in (select id from account_migrations
      where array[source_account_id, target_account_id, operated_by] && ${accountIds}::uuid[])`.execute(tx);
    for (const column of ['source_account_id', 'target_account_id', 'operated_by'] as const) {
      await tx.deleteFrom('account_migrations').where(column, 'in', accountIds).execute();
    }
    await tx.updateTable('deletions').set({ deleted_by: null }).where('deleted_by', 'in', accountIds).execute();
    await tx.updateTable('sites').set({ owner_account_id: null }).where('owner_account_id', 'in', accountIds).execute();
    await tx.deleteFrom('accounts').where('id', 'in', accountIds).execute();
  }
  for (const id of organisationIds.toReversed()) if (await isEmpty(tx, id)) await removeOrganisation(tx, id);
}

/** Whether nobody put accounts, plants, loggers or organisations of their own under an organisation of the demonstration. */
async function isEmpty(tx: Transaction<Database>, id: string): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`select
    exists (select from accounts where organisation_id = ${id})
    or exists (select from sites where organisation_id = ${id})
    or exists (select from loggers where organisation_id = ${id})
    or exists (select from organisations where parent_id = ${id}) as used`.execute(tx);
  return rows[0]?.used === false;
}

async function removeOrganisation(tx: Transaction<Database>, id: string): Promise<void> {
  await tx.deleteFrom('sessions').where('view_organisation_id', '=', id).execute();
  await tx.deleteFrom('permission_groups').where('organisation_id', '=', id).execute();
  await tx.deleteFrom('departments').where('organisation_id', '=', id).execute();
  await tx.deleteFrom('provisioning_keys').where('organisation_id', '=', id).execute();
  await tx.deleteFrom('organisations').where('id', '=', id).execute();
}
