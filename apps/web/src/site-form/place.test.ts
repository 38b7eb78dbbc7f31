import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { azimuthAt, compassPointOf, inclinationAt } from './array-shape.ts';
import { filling } from './fill-place.ts';
import { fromWorld, toWorld } from './mercator.ts';
import { drawnWorld, middleWithin, pathIn } from './outlines.ts';

const position = fc.record({
  latitude: fc.double({ min: -85, max: 85, noNaN: true }),
  longitude: fc.double({ min: -179.99, max: 179.99, noNaN: true }),
});

test('a position is where it was after the way to the map and back, to about a metre', () => {
  fc.assert(
    fc.property(position, ({ latitude, longitude }) => {
      const back = fromWorld(toWorld({ latitude, longitude }));
      expect(Math.abs(back.latitude - latitude)).toBeLessThan(1e-5);
      expect(Math.abs(back.longitude - longitude)).toBeLessThan(1e-5);
    }),
  );
});

const word = fc.constantFrom('', 'Freising', 'München', 'Erding');
const place = fc.record({ country: fc.constant('DE'), city: word, ianaTimezone: word, currency: word });

test('a place fills what is empty or was filled before, and never what was typed since', () => {
  fc.assert(
    fc.property(place, place, place, (found, now, before) => {
      const { change, filled } = filling(found, now, before);
      for (const name of ['country', 'city', 'ianaTimezone', 'currency'] as const) {
        const isOpen = now[name] === '' || now[name] === before[name];
        expect(change[name]).toBe(isOpen && found[name] !== '' ? found[name] : undefined);
        expect(filled[name]).toBe(change[name] ?? before[name]);
      }
    }),
  );
});

test('what an edited plant began with is replaced by a place that was chosen by name alone', () => {
  const now = { country: 'DE', city: 'Erding', ianaTimezone: 'Europe/Berlin', currency: 'EUR' };
  expect(filling({ city: 'Freising' }, now, {}).change).toEqual({});
  expect(filling({ city: 'Freising' }, now, {}, { city: 'Erding' }).change).toEqual({ city: 'Freising' });
  expect(filling({ city: 'Freising' }, now, {}, { city: 'Moosburg' }).change).toEqual({});
});

test('dials answer in steps of five degrees within their range, and the words agree with the quadrant', () => {
  const offset = fc.double({ min: -100, max: 100, noNaN: true });
  fc.assert(
    fc.property(offset, offset, (x, y) => {
      const azimuth = azimuthAt(x, y);
      expect(azimuth % 5).toBe(0);
      expect(azimuth).toBeGreaterThanOrEqual(0);
      expect(azimuth).toBeLessThan(360);
      expect(Math.abs(inclinationAt(x, y) % 5)).toBe(0);
      expect(inclinationAt(x, y)).toBeGreaterThanOrEqual(0);
      expect(inclinationAt(x, y)).toBeLessThanOrEqual(90);
    }),
  );
  expect([azimuthAt(0, -1), azimuthAt(1, 0), azimuthAt(0, 1), azimuthAt(-1, 0)]).toEqual([0, 90, 180, 270]);
  expect([0, 90, 157.5, 165, 180, 270, 355, 360].map(compassPointOf)).toEqual([
    'n',
    'e',
    'sse',
    'sse',
    's',
    'w',
    'n',
    'n',
  ]);
});

test('outlines are drawn where they are in view, land as surfaces and borders as lines', () => {
  const ring = [
    [0, 0],
    [90, 0],
    [90, 45],
    [0, 0],
  ];
  const { land, borders } = drawnWorld({
    countries: {
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } }],
    },
    lines: { type: 'MultiLineString', coordinates: [ring.slice(0, 2)] },
  });
  const view = { x: 0.5, y: 0.5, scale: 400, width: 400, height: 200 };
  expect(pathIn(borders, view)).toBe('M200 100L300 100');
  expect(pathIn(borders, { ...view, x: 0.1, width: 100 })).toBe('');
  expect(pathIn(land, view)).toMatch(/^M200 100L300 100L300 [\d.]+L200 100$/);
});

test('nothing beyond the ends of the world is in view, wherever the map is moved', () => {
  const at = fc.double({ min: -2, max: 3, noNaN: true });
  const size = { width: 800, height: 300 };
  fc.assert(
    fc.property(at, at, fc.integer({ min: 800, max: 100_000 }), (x, y, scale) => {
      const middle = middleWithin({ x, y }, scale, size);
      const [halfWidth, halfHeight] = [size.width / 2 / scale, size.height / 2 / scale];
      for (const [position, half] of [
        [middle.x, halfWidth],
        [middle.y, halfHeight],
      ] as const) {
        expect(position - half).toBeGreaterThanOrEqual(-1e-9);
        expect(position + half).toBeLessThanOrEqual(1 + 1e-9);
      }
    }),
  );
});
