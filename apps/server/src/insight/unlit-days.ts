import type { DayInsight } from '@sonnenwarte/energy/insight/day-insight';
import { CLIMATE_KM, distanceKm } from '@sonnenwarte/energy/insight/peers';
import { systemScope } from '../access/scope.ts';
import { Turns } from '../turns.ts';
import { type Due, noteAgain } from './due.store.ts';
import { type InsightRow, insightsBetween, unlitAmong } from './insight-rows.store.ts';
import { boxAround, isPlacedPlant, MOST_LOOKED_AT } from './peer-search.ts';
import type { DayStores } from './plant-days.ts';
import { type InsightPlant, placedPlants } from './plants.store.ts';

/** Known in less of the day's light than this, a plant is nobody's neighbour (`peerReference`). */
const LEAST_KNOWN_SHARE = 0.6;

const tellsOfLight = (found: Pick<DayInsight, 'actualWh' | 'completeness'> | undefined): boolean =>
  found !== undefined && found.actualWh !== null && found.completeness >= LEAST_KNOWN_SHARE;

/** A day that changed by itself, not since it ended for all plants of its zone at once. */
const hasChanged = ({ notedAt }: Due): boolean => notedAt.getTime() > 0;

/** Plants of which a day changed and did not tell of the light so far. To be asked before the day is kept anew. */
export async function notTellingYet(
  telemetry: DayStores['telemetry'],
  plants: readonly InsightPlant[],
  day: string,
  due: readonly Due[],
): Promise<InsightPlant[]> {
  const ids = new Set(due.filter(hasChanged).map(({ id }) => id));
  const changed = plants.filter(({ id }) => ids.has(id));
  if (changed.length === 0) return [];
  const keys = changed.map(({ key }) => key);
  const kept = await insightsBetween(telemetry, keys, { first: day, last: day });
  return changed.filter(({ key }) => !tellsOfLight(kept.get(key)?.get(day)));
}

/**
 * Has a day reckoned again of the plants that had no light to compare with and are near one that tells of it now, as where histories come one after
 * the other. A plant begins to tell of a day once: none of them has the others reckoned in turn. What is looked at are plants near by, however many there are.
 */
export async function noteUnlitNear(
  { db, telemetry }: DayStores,
  { day, silent, rows }: { day: string; silent: readonly InsightPlant[]; rows: readonly InsightRow[] },
): Promise<void> {
  const telling = new Set(rows.filter(({ insight }) => tellsOfLight(insight)).map(({ site }) => site));
  const sources = silent.filter(isPlacedPlant).filter(({ key }) => telling.has(key));
  if (sources.length === 0) return;
  const reckoned = new Set(rows.map(({ site }) => site));
  const around = await placedPlants(db, systemScope, boxAround(sources, CLIMATE_KM))
    .select('sites.key')
    .limit(MOST_LOOKED_AT)
    .execute();
  const turns = new Turns(1);
  const near = new Map<number, string>();
  for (const plant of around) {
    const isNear = !reckoned.has(plant.key) && sources.some((source) => distanceKm(source, plant) <= CLIMATE_KM);
    if (isNear) near.set(plant.key, plant.id);
    if (turns.isOver) await turns.giveBack();
  }
  const unlit = await unlitAmong(telemetry, [...near.keys()], day);
  const again = [...near].flatMap(([key, id]) => (unlit.has(key) ? [id] : []));
  if (again.length > 0) await noteAgain(db, day, again);
}
