import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsOnMap, ringsOnMap } from './whole-lines.ts';

const place = fc.tuple(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -80, max: 80 }));
const jumps = (line: readonly (readonly number[])[]): number =>
  line.filter(([longitude = 0], index) => index > 0 && Math.abs(longitude - (line[index - 1]?.[0] ?? 0)) > 180).length;

test('no line crosses the map from one end to the other, and none loses a place', () => {
  fc.assert(
    fc.property(fc.array(place), (line) => {
      const parts = partsOnMap(line);
      for (const part of parts) expect(jumps(part)).toBe(0);
      if (jumps(line) === 0 && line.length > 1) expect(parts).toEqual([line]);
    }),
  );
});

test('a surface over the end of the map lies on both sides of it, any other where it was', () => {
  const across = [
    [170, 60],
    [-170, 60],
    [-170, 70],
    [170, 70],
    [170, 60],
  ];
  expect(ringsOnMap(across)).toEqual([
    [170, 190, 190, 170, 170].map((longitude, index) => [longitude, across[index]?.[1]]),
    [-190, -170, -170, -190, -190].map((longitude, index) => [longitude, across[index]?.[1]]),
  ]);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: -80, max: 80 }), fc.integer({ min: -80, max: 80 }))), (ring) => {
      expect(ringsOnMap(ring)).toEqual([ring]);
    }),
  );
});
