import { describe, expect, test } from 'vitest';
import { type Level, levels } from './levels.ts';
import { permissions } from './permissions.ts';
import { homeOf, opensTo, passage, type Route, routeOf, routes, routesOpenTo } from './routes.ts';

/**
 * The table of specification section 2 and product design 4.7, written out by hand: path, levels as a text, place in the menu
 * ("menu" opens children, "entry" stands in the menu, "hidden" does not), and the path of the parent.
 */
const table: readonly (readonly [path: string, levels: string, place: 'menu' | 'entry' | 'hidden', parent?: string])[] =
  [
    ['/login', 'public', 'hidden'],
    ['/signUp', 'public', 'hidden'],
    ['/forgotPassword', 'public', 'hidden'],
    ['/resetPassword', 'public', 'hidden'],
    ['/confirmEmail', 'public', 'hidden'],
    ['/terms', 'public', 'hidden'],
    ['/privacy', 'public', 'hidden'],
    ['/setup', 'public', 'hidden'],
    ['/error/403', 'public', 'hidden'],
    ['/error/5xx', 'public', 'hidden'],
    ['/error/404', 'public', 'hidden'],
    ['/error/noPermissions', 'public', 'hidden'],
    ['/changePassword', '1 2 3 4 10 255', 'hidden'],
    ['/user/center', '1 2 3 4 255', 'hidden'],

    ['/bus/index', '1 2 3 4 10 255', 'hidden'],
    ['/bus/dataView', '1 2 3 255', 'entry'],
    ['/bus/plant', '1 2 3 4 255', 'menu'],
    ['/bus/plant/add', '2 3 4', 'entry', '/bus/plant'],
    ['/bus/plant/edit', '1 2 3 4 255', 'hidden', '/bus/plant'],
    ['/bus/pile/edit', '1', 'hidden', '/bus/plant'],
    ['/bus/plant/linkSn', '1 255', 'hidden', '/bus/plant'],
    ['/bus/plant/view', '1 2 3 4 255', 'entry', '/bus/plant'],
    ['/bus/plant/detail', '1 2 3 4 255', 'hidden', '/bus/plant'],
    ['/bus/plant/gaudeMap', '1 2 3 4 255', 'hidden', '/bus/plant'],
    ['/bus/plant/parallelSystem', '1 2 3 4 255', 'hidden', '/bus/plant'],
    ['/bus/device', '1 2 3 4 255', 'menu'],
    ['/bus/device/inverter', '1 2 3 4 255', 'entry', '/bus/device'],
    ['/bus/device/module', '1 2 3 4 255', 'entry', '/bus/device'],
    ['/bus/device/battery', '1 2 3 4 255', 'hidden', '/bus/device'],
    ['/bus/device/inverterDetail', '1 2 3 4 255', 'hidden', '/bus/device'],
    ['/bus/device/analysis', '1 2 3 4 10 255', 'entry', '/bus/device'],
    ['/bus/work/model', '1 2 3 4 255', 'hidden', '/bus/device'],
    ['/bus/device/ems', '1 2 3 4 255', 'entry', '/bus/device'],
    ['/bus/device/emsDetail', '1 2 3 4 255', 'hidden', '/bus/device'],
    ['/bus/device/emsConfi', '1 2 3 4 255', 'hidden', '/bus/device'],
    ['/bus/device/inverter/remoteSetting', '2 3 4 255', 'hidden', '/bus/device'],
    ['/bus/version', '3 4 255', 'menu'],
    ['/bus/version/firmware', '3 4 255', 'entry', '/bus/version'],
    ['/bus/version/inverRemote', '3 4 255', 'entry', '/bus/version'],
    ['/bus/version/', '3 4', 'entry', '/bus/version'],
    ['/bus/version/moduleUpgrade', '255', 'entry', '/bus/version'],
    ['/bus/version/battRemote', '255', 'entry', '/bus/version'],
    ['/bus/version/battUpgrade', '3 4', 'entry', '/bus/version'],
    ['/bus/version/strategyUpgrade', '255', 'entry', '/bus/version'],
    ['/bus/version/strategyAdd', '255', 'hidden', '/bus/version'],
    ['/bus/version/strategyDetail', '255', 'hidden', '/bus/version'],
    ['/bus/version/emsUpgrade', '2 3 4 255', 'entry', '/bus/version'],
    ['/bus/dataReport', '3 4 255', 'entry'],
    ['/bus/alarm', '1 2 3 4 255', 'entry'],
    ['/bus/alarm/detail', '1 2 3 4 10 255', 'hidden', '/bus/alarm'],
    ['/bus/alarm/rules', '1 2 3 4 255', 'hidden', '/bus/alarm'],
    ['/bus/alarm/deliveries', '1 2 3 4 255', 'hidden', '/bus/alarm'],
    ['/bus/relog', '255', 'menu'],
    ['/bus/relog/testLog', '255', 'entry', '/bus/relog'],
    ['/bus/powerInfo', '255', 'menu'],
    ['/bus/powerInfo/permissionGriup', '255', 'entry', '/bus/powerInfo'],
    ['/bus/powerInfo/organization', '255', 'entry', '/bus/powerInfo'],
    ['/bus/powerInfo/member', '255', 'entry', '/bus/powerInfo'],
    ['/bus/logUpdate', '255', 'menu'],
    ['/bus/logUpdate/platformLog', '255', 'entry', '/bus/logUpdate'],
    ['/bus/user/management', '4 255', 'entry'],
    ['/bus/group/management', '255', 'entry'],
    ['/bus/afterSaleMag', '255', 'menu'],
    ['/bus/afterSaleMag/accountMigration', '255', 'entry', '/bus/afterSaleMag'],

    ['/bus/message', '1 2 3 4 10 255', 'entry'],
    ['/bus/message/announcements', '255', 'hidden', '/bus/message'],
    ['/bus/workOrder', '1 2 3 4 255', 'menu'],
    ['/bus/workOrder/add', '1 2 3 4 255', 'entry', '/bus/workOrder'],
    ['/bus/workOrder/list', '1 2 3 4 255', 'entry', '/bus/workOrder'],
    ['/bus/workOrder/detail', '1 2 3 4 255', 'hidden', '/bus/workOrder'],
    ['/bus/doc', '1 2 3 4 255', 'menu'],
    ['/bus/doc/manual', '1 2 3 4 255', 'entry', '/bus/doc'],
    ['/bus/doc/brand', '255', 'entry', '/bus/doc'],
    ['/bus/device/gateway', '1 2 3 4 255', 'entry', '/bus/device'],
    ['/bus/meter/list', '1 2 3 4 255', 'entry', '/bus/device'],
    ['/bus/meter/detail', '1 2 3 4 255', 'hidden', '/bus/device'],
    ['/bus/work/charge', '1 2 3 4 255', 'hidden', '/bus/device'],
    ['/bus/device/groupRemote', '2 3 4 255', 'entry', '/bus/device'],
    ['/bus/device/moduleConfig', '2 3 4 255', 'hidden', '/bus/device'],
    ['/bus/device/faultRecord', '2 3 4 255', 'entry', '/bus/device'],
    ['/bus/devOps', '2 3 4 255', 'entry'],
    ['/bus/iv/diagnosis', '2 3 4 255', 'entry'],
    ['/bus/iv/detail', '2 3 4 255', 'hidden'],
    ['/bus/iv/template', '2 3 4 255', 'hidden'],
    ['/bus/installTrend', '3 4 255', 'entry'],
    ['/bus/version/gatewayUpgrade', '3 4 255', 'entry', '/bus/version'],
    ['/bus/version/blacklist', '3 4 255', 'entry', '/bus/version'],
    ['/bus/logAudit', '4 255', 'menu'],
    ['/bus/logAudit/account', '4 255', 'entry', '/bus/logAudit'],
    ['/bus/logAudit/operation', '4 255', 'entry', '/bus/logAudit'],
    ['/bus/aging', '255', 'menu'],
    ['/bus/aging/inverter', '255', 'entry', '/bus/aging'],
    ['/bus/aging/alarm', '255', 'entry', '/bus/aging'],
    ['/bus/aging/report', '255', 'entry', '/bus/aging'],
    ['/bus/aging/inverterDetail', '255', 'hidden', '/bus/aging'],
    ['/bus/factory', '255', 'entry'],
    ['/bus/integrator', '10 255', 'menu'],
    ['/bus/integrator/device/list', '10 255', 'entry', '/bus/integrator'],
    ['/bus/integrator/inverter', '10 255', 'entry', '/bus/integrator'],
    ['/bus/integrator/inverterDetail', '10 255', 'hidden', '/bus/integrator'],
    ['/bus/integrator/alarm', '10 255', 'entry', '/bus/integrator'],
    ['/bus/integrator/dataReport', '10 255', 'entry', '/bus/integrator'],
  ];

const all: readonly Route[] = routes;
const pathOf = (name: string | undefined) => all.find((route) => route.name === name)?.path;
const placeOf = (route: Route) => (route.menuOnly ? 'menu' : route.hidden ? 'hidden' : 'entry');
const everything = new Set(Object.keys(permissions) as (keyof typeof permissions)[]);

describe('the table of routes', () => {
  const rows = table.map(([path, allowed, place, parent]) => ({ path, allowed, place, parent }));
  test.each(rows)('$path is for $allowed, $place, under $parent', ({ path, allowed, place, parent }) => {
    const route = routeOf(path);
    expect(route && [placeOf(route), pathOf(route.parent)]).toEqual([place, parent]);
    expect(passage(path, undefined).to).toBe(allowed === 'public' ? 'screen' : '/login');
    expect(passage(path, -1).to).toBe(allowed === 'public' ? 'screen' : '/login');
    const permitted = allowed === 'public' ? [...levels] : allowed.split(' ').map(Number);
    for (const level of levels) {
      expect([level, passage(path, level).to]).toEqual([
        level,
        permitted.includes(level) ? 'screen' : '/error/noPermissions',
      ]);
    }
  });

  test('has no route beyond it, and none twice', () => {
    expect(routes.map(({ path }) => path).toSorted()).toEqual(table.map(([path]) => path).toSorted());
    expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length);
  });

  test('names the home screen and the user center as the specification does', () => {
    expect([pathOf('bus-index'), pathOf('user-center')]).toEqual(['/bus/index', '/user/center']);
  });

  test('leads the levels of / home', () => {
    expect([-1, 1, 2, 3, 4, 10, 255].map(homeOf)).toEqual([
      '/login',
      '/bus/index',
      '/bus/index',
      '/bus/index',
      '/bus/index',
      '/bus/integrator/device/list',
      '/bus/index',
    ]);
  });
});

describe('permission codes of routes', () => {
  test('are those of the screens whose lists section 6 names a flag for', () => {
    expect(Object.fromEntries(all.flatMap(({ path, code }) => (code === undefined ? [] : [[path, code]])))).toEqual({
      '/bus/plant/add': 'site:edit',
      '/bus/plant/edit': 'site:edit',
      '/bus/plant/linkSn': 'site:edit',
      '/bus/device/faultRecord': 'errorRecord:query',
      '/bus/version/firmware': 'firmware:view',
      '/bus/version/inverRemote': 'inverterUpgrade:info',
      '/bus/version/': 'moduleUpgrade:info',
      '/bus/version/moduleUpgrade': 'moduleUpgrade:info',
      '/bus/version/battRemote': 'batteryUpgrade:info',
      '/bus/version/battUpgrade': 'batteryUpgrade:info',
      '/bus/version/emsUpgrade': 'emsUpgrade:info',
      '/bus/version/gatewayUpgrade': 'gatewayUpgrade:info',
      '/bus/dataReport': 'report:query',
      '/bus/iv/diagnosis': 'iv:diagnosis',
      '/bus/iv/detail': 'iv:detail',
      '/bus/iv/template': 'iv:template',
      '/bus/relog/testLog': 'log:view',
      '/bus/logUpdate/platformLog': 'log:view',
      '/bus/logAudit/account': 'log:view',
      '/bus/logAudit/operation': 'log:view',
      '/bus/powerInfo/permissionGriup': 'role:query',
      '/bus/powerInfo/organization': 'organization:query',
      '/bus/powerInfo/member': 'member:query',
      '/bus/user/management': 'member:query',
      '/bus/group/management': 'organization:query',
      '/bus/afterSaleMag/accountMigration': 'site:migrate',
    });
  });

  test('every level of a route can hold the code that the route needs, but for the distributor in user management', () => {
    const unbound = all.flatMap((route) => {
      const holders: readonly Level[] = route.code === undefined ? levels : permissions[route.code];
      const levelsOf = route.levels === 'public' ? [] : route.levels;
      return levelsOf.filter((level) => !holders.includes(level)).map((level) => [route.name, level]);
    });
    expect(unbound).toEqual([['user-management', 4]]);
    expect(routesOpenTo(4, new Set())).toContain('user-management');
  });

  test('a session without the code is led away like a wrong level, and all else stays open', () => {
    const narrow = new Set([...everything].filter((code) => code !== 'member:query'));
    const open = routesOpenTo(255, narrow);
    expect(passage('/bus/powerInfo/member', 255, open)).toEqual({ to: '/error/noPermissions' });
    expect(passage('/bus/powerInfo/organization', 255, open)).toEqual({ to: 'screen' });
    expect(passage('/login', 255, open)).toEqual({ to: 'screen' });
    expect(routesOpenTo(255, everything).filter((name) => !open.includes(name))).toEqual(['member', 'user-management']);
  });

  test('all codes together open what the level opens, and never more', () => {
    for (const level of levels) {
      for (const route of all)
        expect(opensTo(route, level, everything)).toBe(passage(route.path, level).to === 'screen');
      for (const name of routesOpenTo(level, new Set())) expect(routesOpenTo(level, everything)).toContain(name);
    }
  });

  test('a list of open routes never opens what the level may not', () => {
    expect(passage('/bus/group/management', 1, ['group-management'])).toEqual({ to: '/error/noPermissions' });
    expect(passage('/bus/index', undefined, ['bus-index'])).toEqual({ to: '/login' });
  });
});
