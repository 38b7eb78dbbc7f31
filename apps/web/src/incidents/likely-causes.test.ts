import { expect, test } from 'vitest';
import { likelyCauses } from './likely-causes.ts';

test('what people found most often stands first, with its share', () => {
  const found = [
    { cause: 'soiling', incidents: 1 },
    { cause: 'shade', incidents: 3 },
  ] as const;
  expect(likelyCauses(['moduleDefect', 'shade', 'soiling', 'snow'], found)).toEqual([
    { cause: 'shade', share: 0.75 },
    { cause: 'soiling', share: 0.25 },
    { cause: 'moduleDefect', share: null },
    { cause: 'snow', share: null },
  ]);
});

test('where nobody has found anything, causes stand as the facts have them', () => {
  expect(likelyCauses(['shade', 'snow'], [])).toEqual([
    { cause: 'shade', share: null },
    { cause: 'snow', share: null },
  ]);
});

test('a cause that the facts do not name is told all the same', () => {
  expect(likelyCauses([], [{ cause: 'vehicle', incidents: 2 }])).toEqual([{ cause: 'vehicle', share: 1 }]);
});
