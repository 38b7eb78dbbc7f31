import type { ClickHouseClient } from '@clickhouse/client';
import type { Config } from '../config.ts';
import type { BackupManifest } from './manifest.ts';
import { openSources } from './sources.ts';

/** Starts the restored stores once, so that both come up and read what they have. Answers what is wrong, a line for each. */
export async function tryRestored(config: Config, manifest: BackupManifest): Promise<string[]> {
  const own: Config = {
    ...config,
    databaseUrl: manifest.database === null ? (config.databaseUrl ?? '') : undefined,
    clickhouseUrl: manifest.telemetry === null ? (config.clickhouseUrl ?? '') : undefined,
  };
  const { telemetry, close } = await openSources(own);
  try {
    return telemetry === undefined ? [] : await missingRows(telemetry, manifest.telemetry ?? []);
  } finally {
    await close();
  }
}

async function missingRows(
  client: ClickHouseClient,
  tables: NonNullable<BackupManifest['telemetry']>,
): Promise<string[]> {
  const ask = async <Row>(query: string) => (await client.query({ query, format: 'JSONEachRow' })).json<Row>();
  // Parts that were merged since the start are still listed.
  const parts = await ask<{ name: string; rows: number }>(
    'SELECT table AS name, toFloat64(sum(rows)) AS rows FROM system.parts WHERE database = currentDatabase() GROUP BY table',
  );
  const damaged = await ask<{ name: string; part: string }>(
    'SELECT table AS name, name AS part FROM system.detached_parts WHERE database = currentDatabase()',
  );
  const found = new Map(parts.map(({ name, rows }) => [name, rows]));
  return [
    ...tables
      .filter(({ name, rows }) => (found.get(name) ?? 0) < rows)
      .map(({ name, rows }) => `The table ${name} has ${found.get(name) ?? 0} of ${rows} rows.`),
    ...damaged.map(({ name, part }) => `The part ${part} of the table ${name} cannot be read.`),
  ];
}
