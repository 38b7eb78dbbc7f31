import * as z from 'zod/mini';
import { toWorld } from './mercator.ts';

/** A coast or border: x and y of the world in turn, and the box around them. */
export interface Outline {
  readonly points: Float64Array;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const pair = z.tuple([z.number(), z.number()]);
const topology = z.object({
  transform: z.object({ scale: pair, translate: pair }),
  arcs: z.array(z.array(z.array(z.number()))),
});

/** Arcs of a quantised topology, each coast and border once: the first point of each is absolute, the others are steps from the one before. */
export function outlinesOf(text: unknown): readonly Outline[] {
  const { transform, arcs } = z.parse(topology, text);
  const [scaleX, scaleY] = transform.scale;
  const [left, bottom] = transform.translate;
  return arcs.map((arc) => {
    const points = new Float64Array(arc.length * 2);
    const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    let [atX, atY] = [0, 0];
    for (const [index, [stepX = 0, stepY = 0]] of arc.entries()) {
      atX += stepX;
      atY += stepY;
      const { x, y } = toWorld({ longitude: atX * scaleX + left, latitude: atY * scaleY + bottom });
      points[index * 2] = x;
      points[index * 2 + 1] = y;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
    return { points, ...box };
  });
}

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
