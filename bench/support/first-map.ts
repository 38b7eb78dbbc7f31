import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import { mapView, positions } from '@sonnenwarte/contract/sites/site-places';

type Call = <const E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Result<E>>;

/** The zoom at which the fleet of a benchmark fills a window. */
export const FLEET_ZOOM = 6;

/** All that the map asks for until it shows its plants: their places, or how many there are and then the part that is seen. */
export async function firstMap(call: Call): Promise<object> {
  const told = await call(positions, {});
  if (!told.grouped || told.bounds === null) return told;
  return { told, seen: await call(mapView, { view: told.bounds, zoom: FLEET_ZOOM }) };
}
