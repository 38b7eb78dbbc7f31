import { levels } from '@sonnenwarte/contract/levels';
import { type Route, routes } from '@sonnenwarte/contract/routes';
import { describe, expect, test } from 'vitest';
import { guard } from './guard.ts';

const all = () => true;
const none = () => false;
const allRoutes: readonly Route[] = routes;
const closed = allRoutes.filter((route) => route.levels !== 'public');

describe('guard', () => {
  test.each(allRoutes.map((route) => [route.path, route] as const))(
    '%s opens for exactly its levels',
    (path, route) => {
      for (const level of levels) {
        const mayOpen = route.levels === 'public' || route.levels.some((allowed) => allowed === level);
        expect(guard(path, level, 'token', all)).toEqual(
          mayOpen ? { to: 'screen' } : { to: '/error/noPermissions', message: 'No permissions!' },
        );
      }
    },
  );

  test.each(closed.map((route) => route.path))(
    '%s leads to /login without a token, whatever the stored level',
    (path) => {
      for (const access of [-1, ...levels]) expect(guard(path, access, '', all)).toEqual({ to: '/login' });
    },
  );

  test.each(closed.map((route) => [route.path, route] as const))(
    '%s is decided by level before a screen is looked for',
    (path, route) => {
      for (const level of levels) {
        const mayOpen = route.levels !== 'public' && route.levels.some((allowed) => allowed === level);
        expect(guard(path, level, 'token', none).to).toBe(mayOpen ? '/error/404' : '/error/noPermissions');
      }
    },
  );

  test.each(allRoutes.filter((route) => route.levels === 'public').map((route) => route.path))(
    '%s needs no token, whatever the stored level',
    (path) => {
      for (const access of [-1, ...levels]) expect(guard(path, access, '', all)).toEqual({ to: 'screen' });
    },
  );

  test('a menu without a screen of its own leads to the first screen below that the session may open', () => {
    const built = (name: string) => ['plant-view', 'plant-add', 'plant-detail', 'fault-record'].includes(name);
    expect(guard('/bus/plant', 255, 'token', built)).toEqual({ to: 'first', path: '/bus/plant/view' });
    expect(guard('/bus/plant', 2, 'token', built)).toEqual({ to: 'first', path: '/bus/plant/view' });
    expect(guard('/bus/plant', 2, 'token', built, ['plant', 'plant-add'])).toEqual({
      to: 'first',
      path: '/bus/plant/add',
    });
    expect(guard('/bus/version', 255, 'token', built)).toEqual({ to: '/error/404' });
  });

  test('an unknown path leads to the 404 page', () => {
    expect(guard('/nowhere', 255, 'token', all)).toEqual({ to: '/error/404' });
    expect(guard('/bus/plant/', 255, 'token', all)).toEqual({ to: '/error/404' });
  });
});
