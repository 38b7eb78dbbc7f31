import { deviceKinds } from '@sonnenwarte/device-protocol/points/points';
import { type Kysely, sql } from 'kysely';
import { readRows } from '../ingestion/samples/row-reader.ts';
import type { Database } from '../stores/schema.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { rawTable } from '../stores/telemetry-tables.ts';

const NAME = 'accounting';
const MARGIN_MS = 2_000;

/** Everything received before this time is in the rollups; undefined before the first. */
export async function readMark(db: Kysely<Database>): Promise<number | undefined> {
  const row = await db.selectFrom('process_state').select('value').where('name', '=', NAME).executeTakeFirst();
  const value = row?.value;
  if (typeof value !== 'object' || value === null || !('receivedMs' in value)) return undefined;
  return typeof value.receivedMs === 'number' ? value.receivedMs : undefined;
}

export async function writeMark(db: Kysely<Database>, receivedMs: number): Promise<void> {
  const value = JSON.stringify({ receivedMs: receivedMs - MARGIN_MS });
  await sql`
    insert into process_state (name, value) values (${NAME}, ${value}::jsonb)
    on conflict (name) do update set value = excluded.value, updated_at = now()`.execute(db);
}

export interface Unaccounted {
  table: string;
  device: number;
  fromMs: number;
  toMs: number;
}

/** Stretches of samples that were received after the mark, by device and UTC day. */
export async function unaccountedSince(telemetry: TelemetryHandle, receivedMs: number): Promise<Unaccounted[]> {
  const found: Unaccounted[] = [];
  for (const kind of deviceKinds) {
    const table = rawTable(kind);
    const rows = await readRows(
      telemetry.client,
      `SELECT device, toInt64(toUnixTimestamp64Milli(min(ts))), toInt64(toUnixTimestamp64Milli(max(ts))) FROM ${table}
       WHERE received >= fromUnixTimestamp64Milli(${Math.floor(receivedMs)}, 'UTC') GROUP BY device, toYYYYMMDD(ts)`,
    );
    while (rows.hasMore) found.push({ table, device: rows.uint32(), fromMs: rows.int64(), toMs: rows.int64() });
  }
  return found;
}
