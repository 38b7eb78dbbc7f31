import type { Level } from './levels.ts';
import { canHold, type PermissionCode } from './permissions.ts';

const everyone = [1, 2, 3, 4, 10, 255] as const satisfies readonly Level[];
const plant = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const operators = [2, 3, 4, 255] as const satisfies readonly Level[];
const releasers = [3, 4, 255] as const satisfies readonly Level[];
const partners = [3, 4] as const satisfies readonly Level[];
const admin = [255] as const satisfies readonly Level[];
const audit = [4, 255] as const satisfies readonly Level[];
const integrator = [10, 255] as const satisfies readonly Level[];

/** A route of the portal: specification section 2, and product design 4.7 for paths not shown there. */
export interface Route {
  /** Stable name: key of its phrase (`routes.<name>`) and of its screen. */
  readonly name: string;
  readonly path: `/${string}`;
  /** Who may open it; `public` needs no sign-in. */
  readonly levels: readonly Level[] | 'public';
  /**
   * Permission code needed beyond the level, by those levels that can hold it: specification section 6. Without it the
   * route is closed as to a wrong level.
   */
  readonly code?: PermissionCode;
  /** Not in the menu. */
  readonly hidden?: true;
  /** A page of its own, outside the workspace and its tabs. */
  readonly outside?: true;
  /** Name of the menu under which it stands; its levels never gate the child. */
  readonly parent?: string;
  /** A menu entry that only opens its children and has no screen of its own. */
  readonly menuOnly?: true;
}

const menu = <const N extends string>(name: N, path: `/${string}`, levels: readonly Level[]) =>
  ({ name, path, levels, menuOnly: true }) as const;

const page = <const N extends string, const L extends readonly Level[] | 'public'>(
  name: N,
  path: `/${string}`,
  levels: L,
) => ({ name, path, levels, hidden: true, outside: true }) as const;

export const routes = [
  page('login', '/login', 'public'),
  page('sign-up', '/signUp', 'public'),
  page('forgot-password', '/forgotPassword', 'public'),
  page('reset-password', '/resetPassword', 'public'),
  page('confirm-email', '/confirmEmail', 'public'),
  page('terms', '/terms', 'public'),
  page('privacy', '/privacy', 'public'),
  page('setup', '/setup', 'public'),
  page('error-403', '/error/403', 'public'),
  page('error-404', '/error/404', 'public'),
  page('error-5xx', '/error/5xx', 'public'),
  page('error-no-permissions', '/error/noPermissions', 'public'),
  page('change-password', '/changePassword', everyone),
  { name: 'user-center', path: '/user/center', levels: plant, hidden: true },

  { name: 'bus-index', path: '/bus/index', levels: everyone, hidden: true },
  { name: 'data-view', path: '/bus/dataView', levels: [1, 2, 3, 255] },

  menu('plant', '/bus/plant', plant),
  { name: 'plant-edit', path: '/bus/plant/edit', levels: plant, code: 'site:edit', parent: 'plant', hidden: true },
  { name: 'pile-edit', path: '/bus/pile/edit', levels: [1], parent: 'plant', hidden: true },
  {
    name: 'plant-link-sn',
    path: '/bus/plant/linkSn',
    levels: [1, 255],
    code: 'site:edit',
    parent: 'plant',
    hidden: true,
  },
  { name: 'plant-view', path: '/bus/plant/view', levels: plant, parent: 'plant' },
  { name: 'plant-add', path: '/bus/plant/add', levels: [2, 3, 4], code: 'site:edit', parent: 'plant' },
  { name: 'plant-detail', path: '/bus/plant/detail', levels: plant, parent: 'plant', hidden: true },
  { name: 'plant-map', path: '/bus/plant/gaudeMap', levels: plant, parent: 'plant', hidden: true },
  { name: 'plant-parallel-system', path: '/bus/plant/parallelSystem', levels: plant, parent: 'plant', hidden: true },

  menu('device', '/bus/device', plant),
  { name: 'device-inverter', path: '/bus/device/inverter', levels: plant, parent: 'device' },
  { name: 'device-module', path: '/bus/device/module', levels: plant, parent: 'device' },
  { name: 'device-battery', path: '/bus/device/battery', levels: plant, parent: 'device', hidden: true },
  { name: 'device-inverter-detail', path: '/bus/device/inverterDetail', levels: plant, parent: 'device', hidden: true },
  { name: 'analysis', path: '/bus/device/analysis', levels: everyone, parent: 'device' },
  { name: 'work-model', path: '/bus/work/model', levels: plant, parent: 'device', hidden: true },
  { name: 'work-charge', path: '/bus/work/charge', levels: plant, parent: 'device', hidden: true },
  { name: 'device-ems', path: '/bus/device/ems', levels: plant, parent: 'device' },
  { name: 'device-ems-detail', path: '/bus/device/emsDetail', levels: plant, parent: 'device', hidden: true },
  { name: 'device-ems-config', path: '/bus/device/emsConfi', levels: plant, parent: 'device', hidden: true },
  { name: 'device-gateway', path: '/bus/device/gateway', levels: plant, parent: 'device' },
  { name: 'meter-list', path: '/bus/meter/list', levels: plant, parent: 'device' },
  { name: 'meter-detail', path: '/bus/meter/detail', levels: plant, parent: 'device', hidden: true },
  {
    name: 'remote-setting',
    path: '/bus/device/inverter/remoteSetting',
    levels: operators,
    parent: 'device',
    hidden: true,
  },
  { name: 'group-remote', path: '/bus/device/groupRemote', levels: operators, parent: 'device' },
  { name: 'module-config', path: '/bus/device/moduleConfig', levels: operators, parent: 'device', hidden: true },
  {
    name: 'fault-record',
    path: '/bus/device/faultRecord',
    levels: operators,
    code: 'errorRecord:query',
    parent: 'device',
  },

  menu('version', '/bus/version', releasers),
  { name: 'firmware', path: '/bus/version/firmware', levels: releasers, code: 'firmware:view', parent: 'version' },
  {
    name: 'inverter-upgrade',
    path: '/bus/version/inverRemote',
    levels: releasers,
    code: 'inverterUpgrade:info',
    parent: 'version',
  },
  {
    name: 'module-upgrade-partner',
    path: '/bus/version/',
    levels: partners,
    code: 'moduleUpgrade:info',
    parent: 'version',
  },
  {
    name: 'module-upgrade',
    path: '/bus/version/moduleUpgrade',
    levels: admin,
    code: 'moduleUpgrade:info',
    parent: 'version',
  },
  {
    name: 'battery-upgrade',
    path: '/bus/version/battRemote',
    levels: admin,
    code: 'batteryUpgrade:info',
    parent: 'version',
  },
  {
    name: 'battery-upgrade-partner',
    path: '/bus/version/battUpgrade',
    levels: partners,
    code: 'batteryUpgrade:info',
    parent: 'version',
  },
  { name: 'strategy-upgrade', path: '/bus/version/strategyUpgrade', levels: admin, parent: 'version' },
  { name: 'strategy-add', path: '/bus/version/strategyAdd', levels: admin, parent: 'version', hidden: true },
  { name: 'strategy-detail', path: '/bus/version/strategyDetail', levels: admin, parent: 'version', hidden: true },
  {
    name: 'ems-upgrade',
    path: '/bus/version/emsUpgrade',
    levels: operators,
    code: 'emsUpgrade:info',
    parent: 'version',
  },
  {
    name: 'gateway-upgrade',
    path: '/bus/version/gatewayUpgrade',
    levels: releasers,
    code: 'gatewayUpgrade:info',
    parent: 'version',
  },
  { name: 'blacklist', path: '/bus/version/blacklist', levels: releasers, parent: 'version' },

  { name: 'data-report', path: '/bus/dataReport', levels: releasers, code: 'report:query' },
  { name: 'alarm', path: '/bus/alarm', levels: plant },
  { name: 'alarm-detail', path: '/bus/alarm/detail', levels: everyone, parent: 'alarm', hidden: true },
  { name: 'alarm-rules', path: '/bus/alarm/rules', levels: plant, parent: 'alarm', hidden: true },
  { name: 'alarm-deliveries', path: '/bus/alarm/deliveries', levels: plant, parent: 'alarm', hidden: true },
  { name: 'dev-ops', path: '/bus/devOps', levels: operators },
  { name: 'install-trend', path: '/bus/installTrend', levels: releasers },
  menu('work-order', '/bus/workOrder', plant),
  { name: 'work-order-list', path: '/bus/workOrder/list', levels: plant, parent: 'work-order' },
  { name: 'work-order-add', path: '/bus/workOrder/add', levels: plant, parent: 'work-order' },
  { name: 'work-order-detail', path: '/bus/workOrder/detail', levels: plant, parent: 'work-order', hidden: true },
  { name: 'message', path: '/bus/message', levels: everyone },
  { name: 'announcements', path: '/bus/message/announcements', levels: admin, parent: 'message', hidden: true },

  { name: 'iv-diagnosis', path: '/bus/iv/diagnosis', levels: operators, code: 'iv:diagnosis' },
  { name: 'iv-detail', path: '/bus/iv/detail', levels: operators, code: 'iv:detail', hidden: true },
  { name: 'iv-template', path: '/bus/iv/template', levels: operators, code: 'iv:template', hidden: true },

  menu('relog', '/bus/relog', admin),
  { name: 'test-log', path: '/bus/relog/testLog', levels: admin, code: 'log:view', parent: 'relog' },

  menu('aging', '/bus/aging', admin),
  { name: 'aging-inverter', path: '/bus/aging/inverter', levels: admin, parent: 'aging' },
  { name: 'aging-alarm', path: '/bus/aging/alarm', levels: admin, parent: 'aging' },
  { name: 'aging-report', path: '/bus/aging/report', levels: admin, parent: 'aging' },
  { name: 'aging-inverter-detail', path: '/bus/aging/inverterDetail', levels: admin, parent: 'aging', hidden: true },
  { name: 'factory', path: '/bus/factory', levels: admin },

  menu('power-info', '/bus/powerInfo', admin),
  {
    name: 'permission-group',
    path: '/bus/powerInfo/permissionGriup',
    levels: admin,
    code: 'role:query',
    parent: 'power-info',
  },
  {
    name: 'organization',
    path: '/bus/powerInfo/organization',
    levels: admin,
    code: 'organization:query',
    parent: 'power-info',
  },
  { name: 'member', path: '/bus/powerInfo/member', levels: admin, code: 'member:query', parent: 'power-info' },

  menu('log-update', '/bus/logUpdate', admin),
  { name: 'platform-log', path: '/bus/logUpdate/platformLog', levels: admin, code: 'log:view', parent: 'log-update' },
  menu('log-audit', '/bus/logAudit', audit),
  { name: 'log-audit-account', path: '/bus/logAudit/account', levels: audit, code: 'log:view', parent: 'log-audit' },
  {
    name: 'log-audit-operation',
    path: '/bus/logAudit/operation',
    levels: audit,
    code: 'log:view',
    parent: 'log-audit',
  },

  { name: 'user-management', path: '/bus/user/management', levels: audit, code: 'member:query' },
  { name: 'group-management', path: '/bus/group/management', levels: admin, code: 'organization:query' },
  menu('after-sale', '/bus/afterSaleMag', admin),
  {
    name: 'account-migration',
    path: '/bus/afterSaleMag/accountMigration',
    levels: admin,
    code: 'site:migrate',
    parent: 'after-sale',
  },

  menu('doc', '/bus/doc', plant),
  { name: 'doc-manual', path: '/bus/doc/manual', levels: plant, parent: 'doc' },
  { name: 'doc-brand', path: '/bus/doc/brand', levels: admin, parent: 'doc' },

  menu('integrator', '/bus/integrator', integrator),
  { name: 'integrator-device-list', path: '/bus/integrator/device/list', levels: integrator, parent: 'integrator' },
  { name: 'integrator-inverter', path: '/bus/integrator/inverter', levels: integrator, parent: 'integrator' },
  {
    name: 'integrator-inverter-detail',
    path: '/bus/integrator/inverterDetail',
    levels: integrator,
    parent: 'integrator',
    hidden: true,
  },
  { name: 'integrator-alarm', path: '/bus/integrator/alarm', levels: integrator, parent: 'integrator' },
  { name: 'integrator-data-report', path: '/bus/integrator/dataReport', levels: integrator, parent: 'integrator' },
] as const satisfies readonly Route[];

type RouteEntry = (typeof routes)[number];
export type RouteName = RouteEntry['name'];
/** Names of the pages outside the workspace. */
export type PageName = Extract<RouteEntry, { outside: true }>['name'];

const byPath: ReadonlyMap<string, Route> = new Map(routes.map((route) => [route.path, route]));

/** The route of a path, letter by letter; `/bus/version/` and `/bus/version` are two. */
export const routeOf = (path: string): Route | undefined => byPath.get(path);

/** Where `/` leads: specification section 2, "Entry and guard". */
export const homeOf = (access: number): '/login' | '/bus/integrator/device/list' | '/bus/index' =>
  access === 10 ? '/bus/integrator/device/list' : access === -1 ? '/login' : '/bus/index';

/** Whether somebody at a level, with permission codes, may open a route; public routes are open to all. */
export const opensTo = (route: Route, level: number, codes: ReadonlySet<PermissionCode>): boolean =>
  route.levels === 'public' ||
  (route.levels.some((allowed) => allowed === level) &&
    (route.code === undefined || !canHold(level, route.code) || codes.has(route.code)));

/** Names of the routes behind the sign-in that a session may open: its `menuCode`. */
export const routesOpenTo = (level: number, codes: ReadonlySet<PermissionCode>): RouteName[] =>
  routes.filter((route) => route.levels !== 'public' && opensTo(route, level, codes)).map(({ name }) => name);

export type Passage = { to: 'screen' } | { to: '/login' } | { to: '/error/noPermissions' } | { to: '/error/404' };

/**
 * The guard's decision for a path, for somebody signed in at a level or not (`undefined`). `open` names the routes that
 * the session's permission codes leave open (`routesOpenTo`); without it the level alone decides.
 */
export function passage(path: string, level: number | undefined, open?: readonly string[]): Passage {
  const route = routeOf(path);
  if (!route) return { to: '/error/404' };
  if (route.levels === 'public') return { to: 'screen' };
  if (level === undefined || level === -1) return { to: '/login' };
  const permitted = route.levels.some((allowed) => allowed === level) && (open?.includes(route.name) ?? true);
  return permitted ? { to: 'screen' } : { to: '/error/noPermissions' };
}
