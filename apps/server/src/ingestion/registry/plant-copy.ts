import type { Kysely } from 'kysely';
import type { Database } from '../../stores/schema.ts';
import { correctionsOf } from './corrections.store.ts';
import { readFleet } from './fleet-rows.store.ts';
import { HeldFleet } from './held-fleet.ts';
import { NO_CORRECTIONS, type SiteEntry } from './plant-model.ts';
import { remember } from './remember.ts';

/**
 * A plant as ingestion would hold it, for who wants to try something out: it is nobody else's, and nothing of it is written. The caller has asked for
 * the plant within a scope.
 */
export async function plantCopy(db: Kysely<Database>, siteId: string): Promise<SiteEntry | undefined> {
  const rows = await readFleet(db, { siteIds: [siteId] }, () => false);
  const held = new HeldFleet(() => undefined);
  for (const device of held.take(rows, () => false).fresh) {
    const memory = rows.memories.get(device.id);
    if (memory !== undefined) remember(device, memory);
  }
  const site = held.sitesById.get(siteId);
  const devices = [...(site?.devices ?? [])];
  const corrections = await correctionsOf(
    db,
    devices.map(({ id }) => id),
  );
  for (const device of devices) device.corrections = corrections.get(device.id) ?? NO_CORRECTIONS;
  return site;
}
