import { expect, test } from 'vitest';
import { levelOf, shapeOf } from './levels.ts';

test.each([
  [7002, 1, 'notice'],
  [2006, 2, 'alarm'],
  [1005, 3, 'fault'],
  [2003, 4, 'fault'],
  [5003, 3, 'offline'],
  [5004, 2, 'offline'],
  [99, 17, 'alarm'],
] as const)('%i of level %i is drawn as %s', (code, level, shape) => {
  expect(shapeOf(code, level)).toBe(shape);
});

test('a level that nobody knows is a warning', () => {
  expect(levelOf(0)).toBe(2);
});
