import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { azimuthAt, compassPointOf, inclinationAt } from './array-shape.ts';
import { filling } from './fill-place.ts';
import { fromWorld, toWorld } from './mercator.ts';
import { outlinesOf, pathIn } from './outlines.ts';

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

test('outlines are the steps of their arcs, drawn where they are in view', () => {
  const outlines = outlinesOf({
    transform: { scale: [1, 1], translate: [-180, -90] },
    arcs: [
      [
        [180, 90],
        [90, 0],
      ],
    ],
  });
  const view = { x: 0.5, y: 0.5, scale: 400, width: 400, height: 200 };
  expect(pathIn(outlines, view)).toBe('M200 100L300 100');
  expect(pathIn(outlines, { ...view, x: 0.1, width: 100 })).toBe('');
});
