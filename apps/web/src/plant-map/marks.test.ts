import { placedStates } from '@sonnenwarte/contract/sites/site-places';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clustersOf } from './clusters.ts';
import { boundsOf, placesOf, stateOf, within } from './places.ts';

const plant = fc.record({
  id: fc.uuid(),
  latitude: fc.integer({ min: -8_000_000, max: 8_000_000 }),
  longitude: fc.integer({ min: -18_000_000, max: 18_000_000 }),
  rank: fc.integer({ min: 0, max: 3 }),
});
const fleet = fc.array(plant, { maxLength: 60 });

type Plants = readonly { id: string; latitude: number; longitude: number; rank: number }[];

const pack = (id: string): string =>
  btoa(
    String.fromCharCode(...(id.replaceAll('-', '').match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))),
  ).slice(0, 22);

const told = (plants: Plants) =>
  placesOf({
    total: plants.length,
    unplaced: 0,
    count: plants.length,
    ids: plants.map(({ id }) => pack(id)).join(''),
    latitudes: plants.map(({ latitude }) => latitude).join(','),
    longitudes: plants.map(({ longitude }) => longitude).join(','),
    states: plants.map(({ rank }) => rank).join(''),
  });

const world = { south: -90, west: -180, north: 90, east: 180 };

describe('places', () => {
  test('are those of the answer, plant by plant', () => {
    fc.assert(
      fc.property(fleet, (plants) => {
        const places = told(plants);
        for (const [index, { id, latitude, longitude, rank }] of plants.entries()) {
          expect(places.idOf(index)).toBe(id);
          expect(places.latitudes[index]).toBeCloseTo(latitude / 1e5, 9);
          expect(places.longitudes[index]).toBeCloseTo(longitude / 1e5, 9);
          expect(stateOf(places, index)).toBe(placedStates[rank]);
        }
      }),
    );
  });

  test('lie all within their bounds, and of those in view the worst come first', () => {
    fc.assert(
      fc.property(fleet, (plants) => {
        const places = told(plants);
        const bounds = boundsOf(places);
        if (!bounds) {
          expect(plants).toEqual([]);
          return;
        }
        const { total, first } = within(places, bounds, 7);
        expect(total).toBe(plants.length);
        expect(first).toHaveLength(Math.min(7, plants.length));
        const ranks = first.map((index) => plants[index]?.rank ?? 9);
        const worst = plants.map(({ rank }) => rank).sort((a, b) => a - b);
        expect(ranks).toEqual(worst.slice(0, 7));
      }),
    );
  });
});

describe('clusters', () => {
  test('hold every plant once at any zoom, and take the worst state of theirs', () => {
    fc.assert(
      fc.property(fleet, fc.integer({ min: 0, max: 18 }), (plants, zoom) => {
        const places = told(plants);
        const clusters = clustersOf(places);
        const spots = clusters.spots(world, zoom);
        expect(spots.reduce((sum, { count }) => sum + count, 0)).toBe(plants.length);
        for (const spot of spots) {
          const held = spot.cluster === undefined ? [spot.plant ?? -1] : clusters.plantsOf(spot.cluster, 100);
          expect(held).toHaveLength(spot.count);
          const worst = Math.min(...held.map((index) => plants[index]?.rank ?? 9));
          expect(spot.worst).toBe(placedStates[worst]);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('of plants in one place never fall apart, others do', () => {
    const at = (latitude: number, id: string) => ({ id, latitude, longitude: 0, rank: 3 });
    const [a, b] = ['0198a4c0-0000-4000-8000-000000000001', '0198a4c0-0000-4000-8000-000000000002'];
    const same = clustersOf(told([at(0, a), at(0, b)]));
    const [spot] = same.spots(world, 3);
    expect(same.partsAt(spot?.cluster ?? -1)).toBeUndefined();
    const near = clustersOf(told([at(0, a), at(100_000, b)]));
    const [both] = near.spots(world, 1);
    expect(near.partsAt(both?.cluster ?? -1)).toBeGreaterThan(1);
  });
});
