import type { ClickHouseClient } from '@clickhouse/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../stores/schema.ts';
import { demoOrganisationId, demoOrganisations } from './tenancy.ts';

const siteTables = ['site_5m', 'site_hour', 'site_day'];

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
  await db.transaction().execute(async (tx) => {
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
    await tx.deleteFrom('accounts').where('demo', '=', true).execute();
    for (const id of organisationIds.toReversed()) {
      await tx
        .deleteFrom('organisations')
        .where('id', '=', id)
        .where((eb) => eb.not(eb.exists(eb.selectFrom('accounts').select('id').where('organisation_id', '=', id))))
        .where((eb) => eb.not(eb.exists(eb.selectFrom('sites').select('id').where('organisation_id', '=', id))))
        .where((eb) =>
          eb.not(
            eb.exists(eb.selectFrom('organisations as child').select('child.id').where('child.parent_id', '=', id)),
          ),
        )
        .execute();
    }
    await tx.deleteFrom('process_state').where('name', '=', 'demo.history').execute();
  });
  // Keys are never given again, so what is left of these rows after a crash is seen by nobody; the start need not wait.
  const siteKeys = sites.map(({ key }) => key);
  const deviceKeys = ofDemo.map(({ key }) => key);
  clearTelemetry(telemetry, siteKeys, deviceKeys).catch((error: unknown) =>
    logger.warn({ err: error }, 'telemetry of the demonstration is not wholly removed'),
  );
}

async function clearTelemetry(telemetry: ClickHouseClient, siteKeys: number[], deviceKeys: number[]): Promise<void> {
  if (siteKeys.length === 0) return;
  for (const table of siteTables) {
    await telemetry.command({
      query: `DELETE FROM ${table} WHERE site IN ({keys:Array(UInt32)})`,
      query_params: { keys: siteKeys },
    });
  }
  if (deviceKeys.length === 0) return;
  const tables = await telemetry.query({
    query:
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND (name LIKE 'raw\\_%' OR name = 'device_5m')",
    format: 'JSONEachRow',
  });
  for (const { name } of await tables.json<{ name: string }>()) {
    await telemetry.command({
      query: `DELETE FROM ${name} WHERE device IN ({keys:Array(UInt32)})`,
      query_params: { keys: deviceKeys },
    });
  }
}
