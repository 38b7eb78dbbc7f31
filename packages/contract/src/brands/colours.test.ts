import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coloursOf, contrast, judged, LEAST_CONTRAST, tokensOf } from './colours.ts';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('contrast is that of the standard', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#0b6f73', '#0b6f73')).toBe(1);
});

test('whatever colour a brand has, its words are read on light and dark surfaces, and what stands on it too', () => {
  fc.assert(
    fc.property(colour, (chosen) => {
      const { light, dark, deep, mid } = coloursOf(chosen);
      for (const surface of ['#f4f6f9', '#ffffff', light.soft])
        expect(contrast(light.text, surface)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
      for (const surface of ['#0a0f16', '#111822', '#151d28', dark.soft])
        expect(contrast(dark.text, surface)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
      for (const { solid, on } of [light, dark]) expect(contrast(solid, on)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
      for (const ground of [deep, mid]) expect(contrast(ground, '#ffffff')).toBeGreaterThanOrEqual(LEAST_CONTRAST);
    }),
  );
});

test('a colour that is read as it is stays as it is, another is shown in the nearest shade', () => {
  expect(judged('#0b6f73').light.shown).toBe('#0b6f73');
  expect(judged('#ffd400').dark.shown).toBe('#ffd400');
  expect(judged('#ffd400').light.contrast).toBeLessThan(LEAST_CONTRAST);
  expect(judged('#ffd400').light.shown).not.toBe('#ffd400');
  expect(Object.keys(tokensOf(coloursOf('#ffd400')))).toContain('--brand-text');
});
