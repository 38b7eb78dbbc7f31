import { PLACE_ID_LENGTH, PLACE_STEP, placedStates, type SitePlaces } from '@sonnenwarte/contract/sites/site-places';
import type { State } from '@sonnenwarte/contract/status';

/** Plants with a place, by their number from 0. */
export interface Places {
  readonly count: number;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** Place among `placedStates`, the worst first. */
  readonly ranks: Uint8Array;
  idOf(plant: number): string;
}

const degrees = (column: string): Float64Array =>
  column === '' ? new Float64Array() : Float64Array.from(column.split(','), (steps) => Number(steps) * PLACE_STEP);

/** An id of 22 characters of base64 as it is written elsewhere. */
export function uuidOf(packed: string): string {
  const hex = Array.from(atob(packed), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Columns of texts as numbers. Ids stay as they are until somebody asks for one. */
export function placesOf({ count, ids, latitudes, longitudes, states }: SitePlaces): Places {
  return {
    count,
    latitudes: degrees(latitudes),
    longitudes: degrees(longitudes),
    ranks: Uint8Array.from(states, Number),
    idOf: (plant) => uuidOf(ids.slice(plant * PLACE_ID_LENGTH, (plant + 1) * PLACE_ID_LENGTH)),
  };
}

export const stateOf = ({ ranks }: Places, plant: number): State => placedStates[ranks[plant] ?? 3] ?? 'normal';

export interface Bounds {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** The least bounds that hold all plants; none where there is no plant. */
export function boundsOf({ count, latitudes, longitudes }: Places): Bounds | undefined {
  if (count === 0) return undefined;
  const bounds = { south: 90, west: 180, north: -90, east: -180 };
  for (let plant = 0; plant < count; plant++) {
    const [latitude = 0, longitude = 0] = [latitudes[plant], longitudes[plant]];
    bounds.south = Math.min(bounds.south, latitude);
    bounds.north = Math.max(bounds.north, latitude);
    bounds.west = Math.min(bounds.west, longitude);
    bounds.east = Math.max(bounds.east, longitude);
  }
  return bounds;
}

/** How many plants lie within bounds, and the first of them, the worst first. */
export function within(places: Places, bounds: Bounds, most: number): { total: number; first: number[] } {
  const { count, latitudes, longitudes, ranks } = places;
  const byRank: number[][] = placedStates.map(() => []);
  let total = 0;
  for (let plant = 0; plant < count; plant++) {
    const [latitude = 0, longitude = 0] = [latitudes[plant], longitudes[plant]];
    const isWithin =
      latitude >= bounds.south && latitude <= bounds.north && longitude >= bounds.west && longitude <= bounds.east;
    if (!isWithin) continue;
    total++;
    const alike = byRank[ranks[plant] ?? 3];
    if (alike && alike.length < most) alike.push(plant);
  }
  return { total, first: byRank.flat().slice(0, most) };
}
