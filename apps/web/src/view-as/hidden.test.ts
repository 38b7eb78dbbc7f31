import { levels } from '@sonnenwarte/contract/levels';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import { routes, routesOpenTo } from '@sonnenwarte/contract/routes';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hiddenCodes, hiddenRoutes } from './hidden.ts';

const all = Object.keys(permissions) as PermissionCode[];
const inMenu = routes.filter(
  (route) => route.levels !== 'public' && !('hidden' in route) && !('outside' in route) && !('menuOnly' in route),
);

describe('what a view hides', () => {
  test('is every menu entry that the session may not open or that has no screen, and no other', () => {
    fc.assert(
      fc.property(fc.constantFrom(...levels), fc.subarray(all), fc.subarray(inMenu), (level, codes, built) => {
        const names = new Set<string>(built.map(({ name }) => name));
        const hidden = new Set(hiddenRoutes(level, codes, (name) => names.has(name)).map(({ name }) => name));
        const open = new Set(routesOpenTo(level, new Set(codes)));
        for (const { name } of inMenu) expect(hidden.has(name)).toBe(!(open.has(name) && names.has(name)));
        expect([...hidden].every((name) => inMenu.some((route) => route.name === name))).toBe(true);
      }),
    );
  });

  test('is every code that is not held, with the level as the reason where it could never be', () => {
    fc.assert(
      fc.property(fc.constantFrom(...levels), fc.subarray(all), (level, codes) => {
        const hidden = hiddenCodes(level, codes);
        expect(hidden.map(({ code }) => code).toSorted()).toEqual(
          all.filter((code) => !codes.includes(code)).toSorted(),
        );
        for (const { code, reason } of hidden) {
          expect(reason.because).toBe(permissions[code].some((holder) => holder === level) ? 'code' : 'level');
        }
      }),
    );
  });
});
