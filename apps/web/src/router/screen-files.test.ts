import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { screenFiles } from '../../screen-files.ts';
import { publicScreens, screens } from '../screens.ts';

test('the build knows the module of every screen and page', () => {
  const found = screenFiles();
  expect([...found.keys()].sort()).toEqual(Object.keys({ ...screens, ...publicScreens }).sort());
  expect([...found.values()].filter(({ file }) => !existsSync(file))).toEqual([]);
  const outside = [...found].filter(([, { isOutside }]) => isOutside).map(([name]) => name);
  expect(outside.sort()).toEqual(Object.keys(publicScreens).sort());
});
