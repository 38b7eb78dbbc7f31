import { expect, test } from 'vitest';
import { TaggedPage } from './page.ts';

test.each([400, 600, 700] as const)(
  'no point or comma vanishes between the digits of a figure of weight %i',
  (weight) => {
    const page = new TaggedPage({ title: '', author: '', language: 'en' });
    const widthOf = (text: string) => page.widthOf(text, { size: 10, weight });
    for (const point of ['.', ',']) {
      const apart = widthOf('8') * 2 + widthOf(point);
      for (const figure of ['1x1', '7x1', '7x8', '4x1'])
        expect(widthOf(figure.replace('x', point))).toBeCloseTo(apart, 6);
    }
  },
);
