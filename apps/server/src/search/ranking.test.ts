import fc from 'fast-check';
import { expect, test } from 'vitest';
import { best } from './ranking.ts';

const named = (...texts: string[]) => texts.map((text, index) => ({ id: String(index), text }));

test('what begins with the text comes before a word that does, and that before any other, then by the alphabet', () => {
  const found = named('Haus Ulivo', 'Pensiunea Livada', 'Villa Ulivo', 'Livorno', 'livada');
  expect(best(found, 'LIV', 5).best.map(({ text }) => text)).toEqual([
    'livada',
    'Livorno',
    'Pensiunea Livada',
    'Haus Ulivo',
    'Villa Ulivo',
  ]);
});

test('of any candidates each is there once, at most as many as asked for, and more is said where others are left', () => {
  const candidate = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), text: fc.string() });
  fc.assert(
    fc.property(fc.array(candidate), fc.string(), fc.integer({ min: 1, max: 5 }), (found, wanted, most) => {
      const distinct = new Set(found.map(({ id }) => id));
      const ranked = best(found, wanted, most);
      expect(new Set(ranked.best.map(({ id }) => id)).size).toBe(ranked.best.length);
      expect(ranked.best).toHaveLength(Math.min(most, distinct.size));
      expect(ranked.more).toBe(distinct.size > most);
    }),
  );
});
