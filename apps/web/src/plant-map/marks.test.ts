import type { PlaceGroup } from '@sonnenwarte/contract/sites/site-places';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clustersOf } from './clusters.ts';
import { boundsAround, countsOf, marksOfGroups, marksOfPlaces, within, worstOf } from './marks.ts';

const rank = fc.integer({ min: 0, max: 3 });
const plant = fc.record({
  id: fc.uuid(),
  latitude: fc.integer({ min: -8_000_000, max: 8_000_000 }),
  longitude: fc.integer({ min: -18_000_000, max: 18_000_000 }),
  state: rank,
  loss: rank,
});
const fleet = fc.array(plant, { maxLength: 60 });
const by = fc.constantFrom('state' as const, 'loss' as const);

type Plants = readonly { id: string; latitude: number; longitude: number; state: number; loss: number }[];

const pack = (id: string): string =>
  btoa(
    String.fromCharCode(...(id.replaceAll('-', '').match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))),
  ).slice(0, 22);

const told = (plants: Plants) =>
  marksOfPlaces({
    count: plants.length,
    ids: plants.map(({ id }) => pack(id)).join(''),
    latitudes: plants.map(({ latitude }) => latitude).join(','),
    longitudes: plants.map(({ longitude }) => longitude).join(','),
    states: plants.map(({ state }) => state).join(''),
    losses: plants.map(({ loss }) => loss).join(''),
  });

const world = { south: -90, west: -180, north: 90, east: 180 };

describe('places', () => {
  test('are those of the answer, plant by plant', () => {
    fc.assert(
      fc.property(fleet, (plants) => {
        const marks = told(plants);
        expect(marks.count).toBe(plants.length);
        for (const [index, { id, latitude, longitude, state, loss }] of plants.entries()) {
          expect(marks.idOf(index)).toBe(id);
          expect(marks.latitudes[index]).toBeCloseTo(latitude / 1e5, 9);
          expect(marks.longitudes[index]).toBeCloseTo(longitude / 1e5, 9);
          expect(worstOf(countsOf(marks, 'state', index))).toBe(state);
          expect(worstOf(countsOf(marks, 'loss', index))).toBe(loss);
        }
      }),
    );
  });

  test('at the edges of the world are of it', () => {
    const edge = { state: 0, loss: 0, id: '00000000-0000-1000-8000-000000000000' };
    const edges = [-18_000_000, 18_000_000].map((longitude) => ({ ...edge, latitude: 9_000_000, longitude }));
    expect(within(told(edges), 'state', world, 7).total).toBe(2);
  });

  test('are counted within bounds, the worst of the ranking first', () => {
    fc.assert(
      fc.property(fleet, by, (plants, ranking) => {
        const marks = told(plants);
        const { total, first } = within(marks, ranking, world, 7);
        expect(total).toBe(plants.length);
        expect(first).toHaveLength(Math.min(7, plants.length));
        const worst = plants.map((each) => each[ranking]).sort((a, b) => a - b);
        expect(first.map((index) => plants[index]?.[ranking] ?? 9)).toEqual(worst.slice(0, 7));
        const north = within(marks, ranking, { ...world, south: 0 }, 7);
        expect(north.total).toBe(plants.filter(({ latitude }) => latitude >= 0).length);
      }),
    );
  });
});

/** Each plant as a group of its own, with one more of the best rank. */
const grouped = (plants: Plants) =>
  marksOfGroups(
    plants.map(({ latitude, longitude, state, loss }): PlaceGroup => {
      const place = { latitude: latitude / 1e5, longitude: longitude / 1e5 };
      const counts = (worst: number) =>
        [0, 1, 2, 3].map((each) => Number(each === worst) + Number(each === 3)) as PlaceGroup['states'];
      return {
        ...place,
        count: 2,
        stationID: null,
        bounds: { south: place.latitude, west: place.longitude, north: place.latitude, east: place.longitude },
        states: counts(state),
        losses: counts(loss),
      };
    }),
  );

describe('clusters', () => {
  test('hold every plant once at any zoom, and take the worst rank of theirs', () => {
    fc.assert(
      fc.property(fleet, by, fc.integer({ min: 0, max: 18 }), fc.boolean(), (plants, ranking, zoom, isGrouped) => {
        const marks = isGrouped ? grouped(plants) : told(plants);
        const clusters = clustersOf(marks, ranking);
        const spots = clusters.spots(world, zoom);
        expect(spots.reduce((sum, { count }) => sum + count, 0)).toBe((isGrouped ? 2 : 1) * plants.length);
        for (const spot of spots) {
          const held = spot.cluster === undefined ? [spot.mark ?? -1] : clusters.marksOf(spot.cluster, 100);
          expect(spot.worst).toBe(Math.min(...held.map((index) => plants[index]?.[ranking] ?? 9)));
          const { south, west, north, east } = boundsAround(marks, held);
          expect(spot.latitude).toBeGreaterThanOrEqual(south - 1e-4);
          expect(spot.latitude).toBeLessThanOrEqual(north + 1e-4);
          expect(spot.longitude).toBeGreaterThanOrEqual(west - 1e-4);
          expect(spot.longitude).toBeLessThanOrEqual(east + 1e-4);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('of plants in one place never fall apart, others do', () => {
    const at = (latitude: number, id: string) => ({ id, latitude, longitude: 0, state: 3, loss: 3 });
    const [a, b] = ['0198a4c0-0000-4000-8000-000000000001', '0198a4c0-0000-4000-8000-000000000002'];
    const same = clustersOf(told([at(0, a), at(0, b)]), 'state');
    const [spot] = same.spots(world, 3);
    expect(same.partsAt(spot?.cluster ?? -1)).toBeUndefined();
    const near = clustersOf(told([at(0, a), at(100_000, b)]), 'state');
    const [both] = near.spots(world, 1);
    expect(near.partsAt(both?.cluster ?? -1)).toBeGreaterThan(1);
  });
});
