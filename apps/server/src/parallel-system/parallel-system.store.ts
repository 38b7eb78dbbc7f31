import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import type { Database } from '../stores/schema.ts';

/** Rated powers of the devices of a plant, by id. */
export async function ratingsOf(
  db: Kysely<Database>,
  scope: Scope,
  siteId: string,
): Promise<Map<string, number | null>> {
  const rows = await db
    .selectFrom('devices')
    .where(visibleDevices(scope))
    .where('devices.site_id', '=', siteId)
    .where('devices.kind', 'in', ['inverter', 'battery'])
    .select(['devices.id', 'devices.rated_power_w'])
    .execute();
  return new Map(rows.map(({ id, rated_power_w }) => [id, rated_power_w]));
}
