import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Outlines } from './outlines.ts';
import { linesOnMap, surfacesOnMap } from './whole-lines.ts';

/** Outlines of countries from the arcs that neighbours share. */
export function outlinesOf(topology: Topology<{ countries: GeometryCollection }>): Outlines {
  const { countries } = topology.objects;
  return { countries: surfacesOnMap(feature(topology, countries)), lines: linesOnMap(mesh(topology, countries)) };
}
