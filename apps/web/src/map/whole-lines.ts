import type { Feature, FeatureCollection, MultiLineString, Polygon, Position } from 'geojson';

/** How far a ring or line goes on beyond the meridian where the map ends, step by step. */
function unwound(line: readonly Position[]): Position[] {
  let turn = 0;
  return line.map(([longitude = 0, latitude = 0], index) => {
    const [before = longitude] = line[index - 1] ?? [];
    if (longitude - before > 180) turn -= 360;
    if (longitude - before < -180) turn += 360;
    return [longitude + turn, latitude];
  });
}

const shifted = (line: readonly Position[], degrees: number): Position[] =>
  line.map(([longitude = 0, latitude = 0]) => [longitude + degrees, latitude]);

/** A ring that crosses the end of the map, once on each side of it; any other as it is. */
export function ringsOnMap(ring: readonly Position[]): Position[][] {
  const whole = unwound(ring);
  const [first = 0] = whole[0] ?? [];
  const [last = 0] = whole.at(-1) ?? [];
  // What goes once around the pole is drawn along the edge already.
  if (Math.abs(last - first) > 180) return [[...ring]];
  const longitudes = whole.map(([longitude = 0]) => longitude);
  const rings = [whole];
  if (Math.max(...longitudes) > 180) rings.push(shifted(whole, -360));
  if (Math.min(...longitudes) < -180) rings.push(shifted(whole, 360));
  return rings;
}

/** A line in parts, none of which crosses the map from one end to the other. */
export function partsOnMap(line: readonly Position[]): Position[][] {
  const parts: Position[][] = [];
  for (const [index, place] of line.entries()) {
    const [before] = line[index - 1] ?? [];
    const part = parts.at(-1);
    if (part === undefined || (before !== undefined && Math.abs((place[0] ?? 0) - before) > 180)) parts.push([place]);
    else part.push(place);
  }
  return parts.filter(({ length }) => length > 1);
}

/** Surfaces of which none crosses the map where it lies on both ends of it. */
export const surfacesOnMap = ({ features }: FeatureCollection): FeatureCollection<Polygon> => ({
  type: 'FeatureCollection',
  features: features.flatMap(({ geometry, properties }) => {
    const polygons =
      geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : [];
    return polygons.flatMap(([outer = [], ...holes]) => {
      const rings = ringsOnMap(outer);
      return rings.map(
        (ring): Feature<Polygon> => ({
          type: 'Feature',
          properties,
          geometry: { type: 'Polygon', coordinates: rings.length === 1 ? [ring, ...holes] : [ring] },
        }),
      );
    });
  }),
});

export const linesOnMap = ({ coordinates }: MultiLineString): MultiLineString => ({
  type: 'MultiLineString',
  coordinates: coordinates.flatMap(partsOnMap),
});
