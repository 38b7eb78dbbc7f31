import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placesAlone } from './places-alone.ts';

test('a point is drawn of each sample that no line joins to another, however many moments of other curves lie between', () => {
  const told = fc.oneof(fc.constant(undefined), fc.constant(null), fc.integer({ min: -9, max: 9 }));
  fc.assert(
    fc.property(fc.array(told, { maxLength: 60 }), (values) => {
      const own = values.flatMap((value, place) => (value === undefined ? [] : [{ value, place }]));
      const lone = own.filter(
        ({ value }, at) =>
          value !== null && (own[at - 1]?.value ?? null) === null && (own[at + 1]?.value ?? null) === null,
      );
      expect(placesAlone(values)).toEqual(lone.map(({ place }) => place));
    }),
  );
});
