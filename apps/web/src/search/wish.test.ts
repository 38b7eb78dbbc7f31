import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kinds, marked, questionOf, wishOf } from './wish.ts';

test.each([
  ['>abmelden', { kind: 'actions', text: 'abmelden' }],
  ['# 0444', { kind: 'devices', text: '0444' }],
  [' @brandt ', { kind: 'people', text: 'brandt' }],
  ['/mitgl', { kind: 'screens', text: 'mitgl' }],
  ['liv', { kind: 'plants', text: 'liv' }],
] as const)('%s is looked for as %o, whatever kind was chosen', (typed, wish) => {
  expect(wishOf(typed, 'plants')).toEqual(wish);
});

test('the server is asked for a text alone, never for what is known here, and for no more than it takes', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.constantFrom(...kinds), (typed, chosen) => {
      const wish = wishOf(typed, chosen);
      const question = questionOf(wish);
      if (question === undefined) {
        expect(wish.text === '' || wish.kind === 'actions' || wish.kind === 'screens').toBe(true);
        return;
      }
      expect(question.content.trim()).toBe(question.content);
      expect(question.content.length).toBeGreaterThan(0);
      expect(question.content.length).toBeLessThanOrEqual(64);
    }),
  );
});

test('a marked text is the whole text, with the match in the middle', () => {
  expect(marked('Pensiunea Livada', 'liv')).toEqual({ before: 'Pensiunea ', match: 'Liv', after: 'ada' });
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, wanted) => {
      const { before, match, after } = marked(text, wanted);
      expect(before + match + after).toBe(text);
    }),
  );
});
