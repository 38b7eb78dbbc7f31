import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { gridOf } from './map-grid.ts';

const latitude = fc.double({ min: -90, max: 90, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const view = fc
  .tuple(latitude, latitude, longitude, longitude)
  .map(([a, b, west, east]) => ({ south: Math.min(a, b), north: Math.max(a, b), west, east }));
const zoom = fc.integer({ min: 0, max: 18 });

/** How far east of a meridian another one lies, 0 to 360. */
const eastOf = (from: number, to: number): number => (to - from + 720) % 360;

test('the squares of a part of the map are never more than was asked for, and cover all of it', () => {
  fc.assert(
    fc.property(view, zoom, fc.integer({ min: 4, max: 2_000 }), (seen, at, most) => {
      const { covered, rows, columns } = gridOf(seen, at, most);
      expect((rows.length + 1) * (columns.length + 1)).toBeLessThanOrEqual(most);
      expect(covered.south).toBeLessThanOrEqual(seen.south);
      expect(covered.north).toBeGreaterThanOrEqual(seen.north);
      const isWhole = covered.west === -180 && covered.east === 180;
      if (isWhole) return;
      const width = eastOf(covered.west, covered.east);
      expect(eastOf(covered.west, seen.west)).toBeLessThanOrEqual(width);
      expect(eastOf(covered.west, seen.east)).toBeLessThanOrEqual(width);
      expect(covered.west > covered.east).toBe(seen.west > seen.east);
    }),
  );
});

test('rows and columns follow each other within what they cover, across the antimeridian too', () => {
  fc.assert(
    fc.property(view, zoom, (seen, at) => {
      const { covered, rows, columns } = gridOf(seen, at, 2_000);
      const east = covered.west > covered.east ? covered.east + 360 : covered.east;
      const longitudes = [covered.west, ...columns, east];
      const latitudes = [covered.south, ...rows, covered.north];
      for (const line of [longitudes, latitudes])
        for (const [place, each] of line.entries())
          if (place > 0) expect(each).toBeGreaterThan(line[place - 1] ?? Number.POSITIVE_INFINITY);
    }),
  );
});

test('squares lie where they do wherever the map is looked at from', () => {
  const near = gridOf({ south: 47, west: 10, north: 48, east: 11 }, 8, 2_000);
  const beside = gridOf({ south: 47.3, west: 10.4, north: 48.3, east: 11.4 }, 8, 2_000);
  const shared = (one: readonly number[], other: readonly number[]) => one.filter((each) => other.includes(each));
  expect(shared(near.rows, beside.rows).length).toBeGreaterThan(3);
  expect(shared(near.columns, beside.columns).length).toBeGreaterThan(3);
});
