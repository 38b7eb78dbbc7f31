import type { ClickHouseClient } from '@clickhouse/client';

const siteTables = ['site_5m', 'site_hour', 'site_day', 'site_insight'];

/** Removes what was recorded of plants and devices, by their keys. */
export async function clearTelemetry(
  telemetry: ClickHouseClient,
  siteKeys: readonly number[],
  deviceKeys: readonly number[],
): Promise<void> {
  for (const table of siteTables) await clear(telemetry, table, 'site', siteKeys);
  if (deviceKeys.length === 0) return;
  const tables = await telemetry.query({
    query:
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND (name LIKE 'raw\\_%' OR name = 'device_5m')",
    format: 'JSONEachRow',
  });
  for (const { name } of await tables.json<{ name: string }>()) await clear(telemetry, name, 'device', deviceKeys);
}

/** The keys stand in the text of the order: parameters of the library are escaped one by one, many stop everything else. */
async function clear(
  telemetry: ClickHouseClient,
  table: string,
  column: 'site' | 'device',
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return;
  await telemetry.command({ query: `DELETE FROM ${table} WHERE ${column} IN (${keys.join(',')})` });
}
