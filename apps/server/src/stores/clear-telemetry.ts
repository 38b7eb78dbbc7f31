import type { ClickHouseClient } from '@clickhouse/client';

const siteTables = ['site_5m', 'site_hour', 'site_day'];

/** Removes what was recorded of plants and devices, by their keys. */
export async function clearTelemetry(
  telemetry: ClickHouseClient,
  siteKeys: readonly number[],
  deviceKeys: readonly number[],
): Promise<void> {
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
