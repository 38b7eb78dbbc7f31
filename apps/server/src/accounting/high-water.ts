import { accountedKinds } from '@sonnenwarte/energy/accounting/device-sample';
import { type Kysely, sql } from 'kysely';
import { partsOf } from '../in-slices.ts';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import type { Registry } from '../ingestion/registry/registry.ts';
import { isAccounted } from '../ingestion/registry/site-devices.ts';
import { readRows } from '../ingestion/samples/row-reader.ts';
import type { Database } from '../stores/schema.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { rawTable } from '../stores/telemetry-tables.ts';
import type { Stretch } from './recalculation-steps.ts';

const NAME = 'accounting';
const MARGIN_MS = 2_000;
const WRITTEN_MARGIN_MS = 60_000;

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

interface Unaccounted {
  table: string;
  device: number;
  fromMs: number;
  toMs: number;
}

/** Devices whose plants are read together. */
const LEARNED_AT_ONCE = 1_000;

/** Stretches of devices that were received after the mark, with their plants, which are read. */
export async function unaccountedDevices(
  telemetry: TelemetryHandle,
  registry: Pick<Registry, 'learnPlants' | 'devices'>,
  receivedMs: number,
): Promise<Stretch[]> {
  const found = await unaccountedSince(telemetry, receivedMs);
  const deviceKeys = [...new Set(found.map(({ device }) => device))];
  for (const part of partsOf(deviceKeys, LEARNED_AT_ONCE)) await registry.learnPlants({ deviceKeys: part });
  const byKey = new Map<string, DeviceEntry>();
  for (const device of registry.devices) byKey.set(`${device.layout.table} ${device.key}`, device);
  return found.flatMap(({ table, device: key, fromMs, toMs }) => {
    const device = byKey.get(`${table} ${key}`);
    return device !== undefined && isAccounted(device) ? [{ device, fromMs, toMs }] : [];
  });
}

/** Stretches of samples with energy that were received after the mark, by device and UTC day. */
async function unaccountedSince(telemetry: TelemetryHandle, receivedMs: number): Promise<Unaccounted[]> {
  const ofKinds = await Promise.all(accountedKinds.map((kind) => unaccountedIn(telemetry, rawTable(kind), receivedMs)));
  return ofKinds.flat();
}

async function unaccountedIn(telemetry: TelemetryHandle, table: string, receivedMs: number): Promise<Unaccounted[]> {
  // No time of receipt is later than its part was written, by one clock: the history of months need not be opened.
  const isOneClock = telemetry.pid !== undefined;
  const writtenS = Math.floor((receivedMs - WRITTEN_MARGIN_MS) / 1_000);
  const parts = `SELECT name FROM system.parts
    WHERE database = currentDatabase() AND table = '${table}' AND active AND modification_time >= toDateTime(${Math.max(0, writtenS)})`;
  const rows = await readRows(
    telemetry.client,
    `SELECT device, toInt64(toUnixTimestamp64Milli(min(ts))), toInt64(toUnixTimestamp64Milli(max(ts))) FROM ${table}
     WHERE received >= fromUnixTimestamp64Milli(${Math.floor(receivedMs)}, 'UTC')${isOneClock ? ` AND _part IN (${parts})` : ''}
     GROUP BY device, toYYYYMMDD(ts)`,
  );
  const found: Unaccounted[] = [];
  while (rows.hasMore) found.push({ table, device: rows.uint32(), fromMs: rows.int64(), toMs: rows.int64() });
  return found;
}
