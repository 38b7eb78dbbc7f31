import type { PlaceBounds } from '@sonnenwarte/contract/sites/site-places';

/** Side of a square at the zoom that is asked for. */
const SQUARE_PX = 32;
const WORLD_PX = 256;

/** Squares of the map that cover a part of it and one more on each side. */
export interface MapGrid {
  /** What they cover; `west` is the greater one across the antimeridian. */
  readonly covered: PlaceBounds;
  /** Latitudes between rows, from south to north. */
  readonly rows: readonly number[];
  /** Longitudes between columns, from west to east; beyond 180 across the antimeridian. */
  readonly columns: readonly number[];
}

/** How far down the map of Mercator a latitude lies, 0 to 1; what is nearer to a pole than the map goes lies at its edge. */
function downOf(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  if (Math.abs(sine) === 1) return sine > 0 ? 0 : 1;
  return Math.min(1, Math.max(0, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)));
}

const latitudeAt = (down: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * down))) * 180) / Math.PI;

/** The numbers after `from` and before `to`. */
const between = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from - 1) }, (_, at) => from + 1 + at);

function spansAt({ south, west, north, east }: PlaceBounds, squares: number) {
  const turns = east < west;
  const first = Math.floor(((west + 180) / 360) * squares) - 1;
  const last = Math.ceil((((turns ? east + 360 : east) + 180) / 360) * squares) + 1;
  // The map ends at the antimeridian: only what is asked for across it lies across it.
  const isAcross = turns && last - first < squares;
  return {
    isAcross,
    columns: isAcross
      ? [Math.max(0, first), last]
      : turns
        ? [0, squares]
        : [Math.max(0, first), Math.min(squares, last)],
    rows: [
      Math.max(0, Math.floor(downOf(north) * squares) - 1),
      Math.min(squares, Math.ceil(downOf(south) * squares) + 1),
    ],
  } as const;
}

/** The squares of a part of the map, the same ones wherever it is looked at from; larger ones where they would be more than `most`. */
export function gridOf(view: PlaceBounds, zoom: number, most: number): MapGrid {
  for (let squares = (WORLD_PX / SQUARE_PX) * 2 ** zoom; ; squares /= 2) {
    const { isAcross, columns, rows } = spansAt(view, squares);
    const [left = 0, right = 0] = columns;
    const [top = 0, bottom = 0] = rows;
    if ((right - left) * (bottom - top) > most && squares > 1) continue;
    const longitudeOf = (column: number) => (column / squares) * 360 - 180;
    const eastmost = longitudeOf(right);
    return {
      covered: {
        south: bottom >= squares ? -90 : latitudeAt(bottom / squares),
        west: longitudeOf(left),
        north: top <= 0 ? 90 : latitudeAt(top / squares),
        east: isAcross ? eastmost - 360 : eastmost,
      },
      rows: between(top, bottom)
        .map((row) => latitudeAt(row / squares))
        .reverse(),
      columns: between(left, right).map(longitudeOf),
    };
  }
}
