import { routes } from '@sonnenwarte/contract/routes';
import { expect, test } from 'vitest';
import { hasScreen } from '../screens.ts';
import { menuFor } from './menu.ts';
import { menuIcons } from './menu-icons.tsx';

test.each([1, 2, 3, 4, 10, 255])('every entry of the menu of level %i has an icon of its own', (level) => {
  const bare = menuFor(routes, level, hasScreen)
    .flatMap((entry) => [entry, ...(entry.children ?? [])])
    .filter(({ name }) => menuIcons[name] === undefined);
  expect(bare).toEqual([]);
});
