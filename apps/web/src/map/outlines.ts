import type { FeatureCollection, MultiLineString, Polygon } from 'geojson';
import fineUrl from 'world-atlas/countries-50m.json?url';
import coarseUrl from 'world-atlas/countries-110m.json?url';
import { loadOnce } from './load-once.ts';

/** Countries of the world as surfaces, and their borders and coasts as lines. */
export interface Outlines {
  readonly countries: FeatureCollection<Polygon>;
  readonly lines: MultiLineString;
}

const urls = { coarse: coarseUrl, fine: fineUrl } as const;
/** `coarse` (some 30 kB on the line) serves the world, `fine` (some 200 kB) a country. */
export type Detail = keyof typeof urls;

async function fetchOutlines(detail: Detail): Promise<Outlines> {
  const [{ outlinesOf }, answer] = await Promise.all([import('./shapes.ts'), fetch(urls[detail])]);
  if (!answer.ok) throw new Error(`outlines: ${answer.status}`);
  return outlinesOf(await answer.json());
}

/** Outlines come with the portal, so that maps need no internet; each detail is fetched once. */
export const loadOutlines: (detail: Detail) => Promise<Outlines> = loadOnce(fetchOutlines);
