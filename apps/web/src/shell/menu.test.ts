import { levels } from '@sonnenwarte/contract/levels';
import { type Route, type RouteName, routes } from '@sonnenwarte/contract/routes';
import { describe, expect, test } from 'vitest';
import english from '../../../../packages/phrases/src/routes/en.json' with { type: 'json' };
import { screens } from '../screens.ts';
import { leavesOf, menuFor } from './menu.ts';

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
    const version = menuFor(routes, 2, everyScreen).find((entry) => entry.name === 'version');
    expect(version?.children?.map((entry) => entry.name)).toEqual(['ems-upgrade']);
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
    expect(menuFor(routes, 255, only('bus-index', 'plant-view'))).toEqual([
      { name: 'bus-index', path: '/bus/index' },
      { name: 'plant', path: '/bus/plant', children: [{ name: 'plant-view', path: '/bus/plant/view' }] },
    ]);
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
