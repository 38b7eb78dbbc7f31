import type { Correction } from '@sonnenwarte/energy/accounting/corrections';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../stores/schema.ts';
import { entryOf } from '../samples/entry-of.ts';

/** What has been corrected of devices and stands, by the device. */
export async function correctionsOf(
  db: Kysely<Database>,
  deviceIds: readonly string[],
): Promise<Map<string, Correction[]>> {
  const found = new Map<string, Correction[]>();
  if (deviceIds.length === 0) return found;
  const rows = await db
    .selectFrom('device_corrections')
    .select(['device_id', 'channel', 'from_at', 'to_at', 'parts_wh'])
    .where(sql<boolean>`device_id = any(${deviceIds}::uuid[])`)
    .where('undone_at', 'is', null)
    .orderBy('from_at')
    .execute();
  for (const { device_id, channel, from_at, to_at, parts_wh: partsWh } of rows) {
    entryOf(found, device_id, () => []).push({
      channel,
      fromMs: from_at.getTime(),
      toMs: to_at.getTime(),
      partsWh,
    });
  }
  return found;
}
