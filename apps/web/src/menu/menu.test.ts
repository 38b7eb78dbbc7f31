import { levels } from '@sonnenwarte/contract/levels';
import { type Route, type RouteName, routes } from '@sonnenwarte/contract/routes';
import { phraseLanguages } from '@sonnenwarte/phrases/languages';
import { describe, expect, test } from 'vitest';
import english from '../../../../packages/phrases/src/routes/en.json' with { type: 'json' };
import { screens } from '../screens.ts';
import { allTexts } from '../testing/all-texts.ts';
import { leavesOf, menuFor, menuParts, partsOf } from './menu.ts';

const everyScreen = (name: string): name is RouteName => name !== '';
const only =
  (...names: string[]) =>
  (name: string): name is RouteName =>
    names.includes(name);

describe('menu', () => {
  test.each(levels)('level %i sees exactly the entries that it may open', (level) => {
    const shown = leavesOf(menuFor(routes, level, everyScreen)).map((entry) => entry.name);
    const allRoutes: readonly Route[] = routes;
    const expected = allRoutes
      .filter((route) => !route.menuOnly && (!route.hidden || route.name === 'bus-index'))
      .filter((route) => route.levels !== 'public' && route.levels.some((allowed) => allowed === level))
      .map((route) => route.name);
    expect([...shown].sort()).toEqual([...expected].sort());
  });

  test('the levels of a menu do not gate its children: level 2 sees the EMS upgrade', () => {
    const names = menuFor(routes, 2, everyScreen).map((entry) => entry.name);
    expect(names).toContain('ems-upgrade');
    expect(names).not.toContain('version');
  });

  test('what the permission codes close has no entry, and what only they leave open beyond the level neither', () => {
    const open = ['bus-index', 'organization', 'group-management'];
    expect(leavesOf(menuFor(routes, 255, everyScreen, open)).map((entry) => entry.name)).toEqual([
      'bus-index',
      'organization',
      'group-management',
    ]);
    expect(leavesOf(menuFor(routes, 1, everyScreen, open)).map((entry) => entry.name)).toEqual(['bus-index']);
  });

  test('a screen that does not exist has no entry, and a group without entries is not shown', () => {
    expect(menuFor(routes, 255, only('bus-index', 'permission-group', 'member'))).toEqual([
      { name: 'bus-index', path: '/bus/index' },
      {
        name: 'power-info',
        path: '/bus/powerInfo',
        children: [
          { name: 'permission-group', path: '/bus/powerInfo/permissionGriup' },
          { name: 'member', path: '/bus/powerInfo/member' },
        ],
      },
    ]);
  });

  test('a group with one child is that child', () => {
    expect(menuFor(routes, 255, only('plant-view'))).toEqual([{ name: 'plant-view', path: '/bus/plant/view' }]);
  });

  test.each(levels)(
    'of level %i, each entry stands in one part, home first, daily work before plants before the rest',
    (level) => {
      const menu = menuFor(routes, level, everyScreen);
      const parts = partsOf(menu);
      expect(
        parts
          .flatMap(({ entries }) => entries)
          .map(({ name }) => name)
          .sort(),
      ).toEqual(menu.map(({ name }) => name).sort());
      expect(parts[0]?.entries[0]?.name).toBe('bus-index');
      const order = parts.map(({ part }) => menuParts.indexOf(part));
      expect(order).toEqual([...order].sort());
    },
  );

  test.each(phraseLanguages)('no menu has one name twice in %s', (language) => {
    const names: Readonly<Record<string, string>> = allTexts(language).routes;
    const isScreen = (name: string): name is RouteName => name in screens;
    const twice = levels.flatMap((level) => {
      const entries = leavesOf(menuFor(routes, level, isScreen)).map(({ name }) => names[name]);
      return entries.filter((name, place) => entries.indexOf(name) !== place).map((name) => `${level}: ${name}`);
    });
    expect(twice).toEqual([]);
  });

  test('every route with a screen, and its group, has a name in the texts', () => {
    const named = Object.keys(english);
    const used = Object.keys(screens).flatMap((name) => {
      const route: Route | undefined = routes.find((each) => each.name === name);
      return route?.parent === undefined ? [name] : [name, route.parent];
    });
    expect(used.filter((name) => !named.includes(name))).toEqual([]);
  });
});
