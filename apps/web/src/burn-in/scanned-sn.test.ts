import { expect, test } from 'vitest';
import { doublesIn, EMPTY_PLACE, placesIn, serialInCode, serialsIn, withPlace } from './scanned-sn.ts';

test.each([
  ['hx10k26050001', 'HX10K26050001'],
  ['SN:HX10K26050001;MODEL:HX-10K', 'HX10K26050001'],
  ['https://hanse.example/u?model=a&sn=hx10k26050001#top', 'HX10K26050001'],
  ['S/N = HX10K26050001', 'HX10K26050001'],
  ['a b', undefined],
  ['12', undefined],
])('the code %s names the unit %s', (code, sn) => {
  expect(serialInCode(code)).toBe(sn);
});

test('pasted serial numbers are divided by lines, commas, semicolons and tabs, each counts once', () => {
  expect(serialsIn('hx1a, HX2B;\tHX3C\n\nHX1A "HX4D"')).toEqual(['HX1A', 'HX2B', 'HX3C', 'HX4D']);
});

test('a dash leaves a position empty, wherever it stands before the last unit; what is scanned next comes behind it', () => {
  expect(placesIn('-\nhx1a\n–\n—, HX2B\n-\n')).toEqual(['', 'HX1A', '', '', 'HX2B']);
  expect(serialsIn('-\nhx1a\n-\nHX2B')).toEqual(['HX1A', 'HX2B']);
  expect(doublesIn('-\nHX1A\n-')).toEqual([]);
  expect(placesIn('-\n-')).toEqual([]);
  expect(placesIn(withPlace(withPlace('hx1a', EMPTY_PLACE), 'HX2B'))).toEqual(['HX1A', '', 'HX2B']);
});

test('those that stand twice are named', () => {
  expect(doublesIn('hx1a, HX2B;HX1A\nHX2B HX1A HX3C')).toEqual(['HX1A', 'HX2B']);
  expect(doublesIn('HX1A HX2B')).toEqual([]);
});
