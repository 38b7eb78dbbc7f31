import { LEVEL } from '@sonnenwarte/contract/levels';
import { homeOf } from '@sonnenwarte/contract/routes';
import { afterEach, expect, test, vi } from 'vitest';
import { startOf } from './wanted.ts';

const origin = 'https://portal.example';
afterEach(() => vi.unstubAllGlobals());

const beganWith = (state: unknown, kept?: string): string => {
  vi.stubGlobal('history', { state });
  vi.stubGlobal('location', { origin });
  return startOf(LEVEL.installer, kept);
};

test('a session begins at the address that led to signing in', () => {
  expect(beganWith({ wanted: '/bus/device/inverter?condition.state=alarm' })).toBe(
    '/bus/device/inverter?condition.state=alarm',
  );
});

test.each([
  ['nothing', null],
  ['what is no address', { wanted: 7 }],
  ['a page of another portal', { wanted: 'https://evil.example/bus/index' }],
  ['a page of another portal without its scheme', { wanted: '//evil.example/bus/index' }],
  ['a page that does not exist', { wanted: '/nowhere' }],
  ['a page that is closed to its level', { wanted: '/bus/integrator/device/list' }],
])('%s leads home', (_, state) => {
  expect(beganWith(state)).toBe(homeOf(LEVEL.installer));
});

test('without such an address it begins where the account was when its session ended, if its level may be there', () => {
  expect(beganWith(null, '/bus/plant/view?content=o')).toBe('/bus/plant/view?content=o');
  expect(beganWith({ wanted: '/bus/index' }, '/bus/plant/view')).toBe('/bus/index');
  expect(beganWith(null, '/bus/logAudit/account')).toBe(homeOf(LEVEL.installer));
});
