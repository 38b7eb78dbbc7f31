import type { Quality } from './quality.ts';
import { markOf, qualityAt, worseQuality } from './quality.ts';
import type { SiteQualities, SiteQuantity } from './site-energies.ts';

/** Quantities of a site that have a mark, each in its place (see `markOf`). Marks are stored: no place ever changes. */
export const MARKED_QUANTITIES = [
  'pv',
  'external',
  'load',
  'charger',
  'charge',
  'discharge',
  'import',
  'export',
  'acOut',
] as const satisfies readonly SiteQuantity[];
export type MarkedQuantity = (typeof MARKED_QUANTITIES)[number];

export function marksOf(qualities: SiteQualities): number {
  let marks = 0;
  for (let place = 0; place < MARKED_QUANTITIES.length; place += 1) {
    const quality = qualities[MARKED_QUANTITIES[place] as MarkedQuantity];
    if (quality !== undefined) marks |= markOf(quality, place);
  }
  return marks;
}

/** The worst quality of some quantities. */
export function qualityOf(marks: number, quantities: readonly MarkedQuantity[]): Quality {
  let worst: Quality = 'measured';
  for (const name of quantities) worst = worseQuality(worst, qualityAt(marks, MARKED_QUANTITIES.indexOf(name)));
  return worst;
}
