import { CLIMATE_KM, choosePeers, NEAR_KM, type PeerChoice } from '@sonnenwarte/energy/insight/peers';
import type { Kysely } from 'kysely';
import { breathe } from '../in-slices.ts';
import type { Database } from '../stores/schema.ts';
import { type InsightPlant, type PlacedPlant, plantsWithin } from './plants.store.ts';

const KM_PER_DEGREE = 111.2;
/** Plants that are looked at for one part of the fleet. */
export const MOST_LOOKED_AT = 50_000;

type Placed = InsightPlant & { latitude: number; longitude: number };

export const isPlacedPlant = (plant: InsightPlant): plant is Placed =>
  plant.latitude !== null && plant.longitude !== null;

/** The box that holds all that is within a distance of any of some plants. */
export function boxAround(plants: readonly Placed[], km: number) {
  const latitudes = plants.map(({ latitude }) => latitude);
  const longitudes = plants.map(({ longitude }) => longitude);
  const degrees = km / KM_PER_DEGREE;
  const [south, north] = [Math.min(...latitudes) - degrees, Math.max(...latitudes) + degrees];
  const poleward = Math.min(85, Math.max(Math.abs(south), Math.abs(north)));
  const wide = degrees / Math.cos((poleward * Math.PI) / 180);
  return { south, north, west: Math.min(...longitudes) - wide, east: Math.max(...longitudes) + wide };
}

/** Of each of some plants the neighbours whose light is its own, by the plant's id; none where there are too few. */
export async function peersOf(
  db: Kysely<Database>,
  plants: readonly InsightPlant[],
): Promise<Map<string, PeerChoice<PlacedPlant>>> {
  const found = new Map<string, PeerChoice<PlacedPlant>>();
  let open = plants.filter(isPlacedPlant);
  for (const km of [NEAR_KM, CLIMATE_KM]) {
    if (open.length === 0) break;
    const around = await plantsWithin(db, boxAround(open, km), MOST_LOOKED_AT);
    for (const plant of open) {
      const choice = choosePeers(plant, othersIn(around, plant.id));
      if (choice !== null && (choice.basis === 'near' || km === CLIMATE_KM)) found.set(plant.id, choice);
      await breathe();
    }
    open = open.filter(({ id }) => !found.has(id));
  }
  return found;
}

function* othersIn(around: readonly PlacedPlant[], id: string): Generator<PlacedPlant> {
  for (const each of around) if (each.id !== id) yield each;
}
