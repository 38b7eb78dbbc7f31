import {
  PLACE_ID_LENGTH,
  PLACE_STEP,
  type PlaceBounds,
  type PlaceColumns,
  type PlaceGroup,
  type Ranking,
} from '@sonnenwarte/contract/sites/site-places';

/** Place of a plant among the states or the losses, the worst first: both are four. */
export const ranks = [0, 1, 2, 3] as const;
export type Rank = (typeof ranks)[number];

/** What is known of plants with a place, by number from 0: each alone, or several that the server has put into one. */
export interface Marks {
  readonly count: number;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** Plants by rank: four numbers for each mark. */
  readonly ranked: Readonly<Record<Ranking, Uint32Array>>;
  /** The plant of a mark; none of several. */
  idOf(mark: number): string | undefined;
  boundsOf(mark: number): PlaceBounds;
}

const STEPS_OF_DEGREE = Math.round(1 / PLACE_STEP);

/** Divided by a whole number, the edges of the world stay whole. */
const degrees = (column: string): Float64Array =>
  column === '' ? new Float64Array() : Float64Array.from(column.split(','), (steps) => Number(steps) / STEPS_OF_DEGREE);

/** An id of 22 characters of base64 as it is written elsewhere. */
function uuidOf(packed: string): string {
  const hex = Array.from(atob(packed), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** One plant for each digit. */
function oneEach(digits: string): Uint32Array {
  const counts = new Uint32Array(ranks.length * digits.length);
  for (let mark = 0; mark < digits.length; mark++) counts[ranks.length * mark + Number(digits[mark])] = 1;
  return counts;
}

/** Plants one by one. Ids stay as they are until somebody asks for one. */
export function marksOfPlaces({ count, ids, latitudes, longitudes, states, losses }: PlaceColumns): Marks {
  const norths = degrees(latitudes);
  const easts = degrees(longitudes);
  return {
    count,
    latitudes: norths,
    longitudes: easts,
    ranked: { state: oneEach(states), loss: oneEach(losses) },
    idOf: (mark) => uuidOf(ids.slice(mark * PLACE_ID_LENGTH, (mark + 1) * PLACE_ID_LENGTH)),
    boundsOf(mark) {
      const [latitude = 0, longitude = 0] = [norths[mark], easts[mark]];
      return { south: latitude, west: longitude, north: latitude, east: longitude };
    },
  };
}

const nowhere = { south: 0, west: 0, north: 0, east: 0 };

/** Plants as the server has grouped them. */
export const marksOfGroups = (groups: readonly PlaceGroup[]): Marks => ({
  count: groups.length,
  latitudes: Float64Array.from(groups, ({ latitude }) => latitude),
  longitudes: Float64Array.from(groups, ({ longitude }) => longitude),
  ranked: {
    state: Uint32Array.from(groups.flatMap(({ states }) => states)),
    loss: Uint32Array.from(groups.flatMap(({ losses }) => losses)),
  },
  idOf: (mark) => groups[mark]?.stationID ?? undefined,
  boundsOf: (mark) => groups[mark]?.bounds ?? nowhere,
});

/** Plants of a mark by rank. */
export const countsOf = ({ ranked }: Marks, by: Ranking, mark: number): number[] =>
  ranks.map((rank) => ranked[by][ranks.length * mark + rank] ?? 0);

/** The worst of which there is any. */
export const worstOf = (counts: readonly number[]): Rank => ranks.find((rank) => (counts[rank] ?? 0) > 0) ?? 3;

/** What holds the bounds of several marks. */
export function boundsAround(marks: Marks, held: readonly number[]): PlaceBounds {
  const each = held.map(marks.boundsOf);
  return {
    south: Math.min(...each.map(({ south }) => south)),
    west: Math.min(...each.map(({ west }) => west)),
    north: Math.max(...each.map(({ north }) => north)),
    east: Math.max(...each.map(({ east }) => east)),
  };
}

/** How many plants lie within bounds, and the first of them, the worst first. */
export function within(
  marks: Marks,
  by: Ranking,
  { south, west, north, east }: PlaceBounds,
  most: number,
): { total: number; first: number[] } {
  const { count, latitudes, longitudes } = marks;
  const alike: number[][] = ranks.map(() => []);
  let total = 0;
  for (let mark = 0; mark < count; mark++) {
    const [latitude = 0, longitude = 0] = [latitudes[mark], longitudes[mark]];
    if (latitude < south || latitude > north || longitude < west || longitude > east) continue;
    const counts = countsOf(marks, by, mark);
    total += counts.reduce((sum, each) => sum + each, 0);
    const found = alike[worstOf(counts)];
    if (found && found.length < most) found.push(mark);
  }
  return { total, first: alike.flat().slice(0, most) };
}
