import { dayBounds } from '@sonnenwarte/energy/calendar';
import { type PlantProfile, updatedProfile } from '@sonnenwarte/energy/insight/profile';
import { daysBefore } from './due.store.ts';
import { insightsBetween, type StoredInsight } from './insight-rows.store.ts';
import type { DayStores } from './plant-days.ts';
import type { InsightPlant } from './plants.store.ts';

/** Past days by which a plant is judged. */
export const LEARNED_DAYS = 28;

/** What is known of a plant after some of its days, the oldest first. */
export const learnedFrom = (
  days: ReadonlyMap<string, StoredInsight> | undefined,
  from: PlantProfile | null,
): PlantProfile | null =>
  [...(days?.values() ?? [])].reduce<PlantProfile | null>(
    (past, { observation }) => updatedProfile(past, observation),
    from,
  );

/** Plants with what was known of them before a day, so that it is judged alike whenever that is done. */
export async function asKnownBefore(
  telemetry: DayStores['telemetry'],
  plants: readonly InsightPlant[],
  day: string,
): Promise<InsightPlant[]> {
  const former = plants.filter(
    ({ profile, timeZone }) => (profile?.lastDayMs ?? -1) >= dayBounds(day, timeZone).startMs,
  );
  const before = await insightsBetween(
    telemetry,
    former.map(({ key }) => key),
    { first: daysBefore(day, LEARNED_DAYS), last: daysBefore(day, 1) },
  );
  const known = new Set(former);
  return plants.map((plant) =>
    known.has(plant) ? { ...plant, newest: plant.profile, profile: learnedFrom(before.get(plant.key), null) } : plant,
  );
}

/** What is kept of a day: what lists, operations and sums tell of it; undefined where it was not reckoned. */
export async function keptDay(
  telemetry: DayStores['telemetry'],
  { key }: InsightPlant,
  day: string,
): Promise<StoredInsight | undefined> {
  const found = await insightsBetween(telemetry, [key], { first: day, last: day });
  return found.get(key)?.get(day);
}
