import type { Position as Degrees } from 'geojson';
import type { Outlines } from '../map/outlines.ts';
import { toWorld, type WorldPoint } from './mercator.ts';

/** A coast or border: x and y of the world in turn, and the box around them. */
export interface Outline {
  readonly points: Float64Array;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Land as closed outlines, and the borders and coasts between them. */
export interface DrawnWorld {
  readonly land: readonly Outline[];
  readonly borders: readonly Outline[];
}

function outlineOf(line: readonly Degrees[]): Outline {
  const points = new Float64Array(line.length * 2);
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const [index, [longitude = 0, latitude = 0]] of line.entries()) {
    const { x, y } = toWorld({ longitude, latitude });
    points[index * 2] = x;
    points[index * 2 + 1] = y;
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return { points, ...box };
}

/** The outlines of the map as they are drawn here. */
export const drawnWorld = ({ countries, lines }: Outlines): DrawnWorld => ({
  land: countries.features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? geometry.coordinates.map(outlineOf) : [],
  ),
  borders: lines.coordinates.map(outlineOf),
});

/** Part of the world that is shown. */
export interface View {
  /** Of the world, at the middle of the picture. */
  x: number;
  y: number;
  /** Pixels that the whole world would be wide. */
  scale: number;
  width: number;
  height: number;
}

/** The middle of a view that shows nothing beyond the ends of the world. */
export function middleWithin(
  { x, y }: WorldPoint,
  scale: number,
  { width, height }: Pick<View, 'width' | 'height'>,
): WorldPoint {
  const within = (at: number, size: number): number => Math.min(Math.max(at, size / 2 / scale), 1 - size / 2 / scale);
  return { x: within(x, width), y: within(y, height) };
}

/** Outlines in a view, as the data of an SVG path; what is closer than a pixel is left out. */
export function pathIn(outlines: readonly Outline[], { x, y, scale, width, height }: View): string {
  const [left, top] = [x - width / 2 / scale, y - height / 2 / scale];
  const [right, bottom] = [left + width / scale, top + height / scale];
  const parts: string[] = [];
  for (const outline of outlines) {
    if (outline.right < left || outline.left > right || outline.bottom < top || outline.top > bottom) continue;
    const { points } = outline;
    let [lastX, lastY] = [Number.NaN, Number.NaN];
    for (let index = 0; index < points.length; index += 2) {
      const atX = Math.round(((points[index] ?? 0) - left) * scale * 2) / 2;
      const atY = Math.round(((points[index + 1] ?? 0) - top) * scale * 2) / 2;
      const isLast = index + 2 >= points.length;
      if (!isLast && Math.abs(atX - lastX) < 1 && Math.abs(atY - lastY) < 1) continue;
      parts.push(`${Number.isNaN(lastX) ? 'M' : 'L'}${atX} ${atY}`);
      [lastX, lastY] = [atX, atY];
    }
  }
  return parts.join('');
}
