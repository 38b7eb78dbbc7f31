export interface Position {
  latitude: number;
  longitude: number;
}

/** A point of the world, which is one wide and one high; x to the east, y to the south. */
export interface WorldPoint {
  x: number;
  y: number;
}

/** Nearer to the poles the projection has no end. */
const MAX_LATITUDE = 85.05;
const DECIMALS = 5;

const within = (value: number, most: number): number => Math.min(Math.max(value, -most), most);
const rounded = (value: number): number => Number(value.toFixed(DECIMALS));

/** Web Mercator, as most maps have it. */
export function toWorld({ latitude, longitude }: Position): WorldPoint {
  const angle = (within(latitude, MAX_LATITUDE) * Math.PI) / 180;
  return { x: longitude / 360 + 0.5, y: 0.5 - Math.asinh(Math.tan(angle)) / (2 * Math.PI) };
}

/** The same the other way, to about a metre. */
export function fromWorld({ x, y }: WorldPoint): Position {
  const latitude = (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI;
  const longitude = (((x % 1) + 1) % 1) * 360 - 180;
  return { latitude: rounded(within(latitude, MAX_LATITUDE)), longitude: rounded(longitude) };
}
