import { unitList } from '@sonnenwarte/contract/burn-in/burn-in';
import { list as dataloggerList } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { emsList, meterList } from '@sonnenwarte/contract/devices/device-lists';
import { list as deviceList } from '@sonnenwarte/contract/devices/devices';
import { list as incidentList } from '@sonnenwarte/contract/incidents/incidents';
import type { Level } from '@sonnenwarte/contract/levels';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import { opensTo, type Route, type RouteName, routes } from '@sonnenwarte/contract/routes';
import { publicScreens, screens } from '../../apps/web/src/screens.ts';
import { callApi } from './api.ts';
import { type DemoUser, demoUsers, plantNamed, plantsOf, portalUrl, sessionOf } from './demo.ts';

/** Where everybody begins. */
export const HOME = '/bus/index';
const HYBRID_INVERTER = 'H8T2311A00117';

const codesOf = (level: Level): ReadonlySet<PermissionCode> =>
  new Set(
    Object.entries(permissions)
      .filter(([, levels]: [string, readonly Level[]]) => levels.includes(level))
      .map(([code]) => code as PermissionCode),
  );

const isBuilt = (route: Route): boolean =>
  Object.hasOwn(screens, route.name) || Object.hasOwn(publicScreens, route.name) || route.path.startsWith('/error/');

/** Screens of the workspace that there are; any other route of the table leads to /error/404. */
export const builtScreens: readonly RouteName[] = routes
  .filter((route) => Object.hasOwn(screens, route.name))
  .map(({ name }) => name);

/** A screen as the journeys visit it: who opens it, at which address. */
export interface Stop {
  name: string;
  user: DemoUser | undefined;
  address: string;
}

/** Accounts of the demonstration that may open a route, the administrator first. */
export const usersOf = (route: Route): DemoUser[] =>
  demoUsers
    .filter(({ level }) => opensTo(route, level, codesOf(level)))
    .map(({ user }) => user)
    .sort((a, b) => Number(b === 'admin') - Number(a === 'admin'));

async function inverterOf(user: DemoUser): Promise<string> {
  const { token } = await sessionOf(user);
  const { devices } = await callApi(portalUrl(), deviceList, { pageSize: 50 }, token);
  const found = devices.find((device) => device.deviceSN === HYBRID_INVERTER) ?? devices[0];
  if (!found) throw new Error(`${user} sees no inverter`);
  return found.deviceID;
}

async function dataloggerOf(user: DemoUser): Promise<string> {
  const { token } = await sessionOf(user);
  const { data } = await callApi(portalUrl(), dataloggerList, { condition: { communication: 1 } }, token);
  const [found] = data;
  if (!found) throw new Error(`${user} sees no datalogger`);
  return found.moduleID;
}

async function firstOf(list: typeof emsList | typeof meterList, user: DemoUser): Promise<string> {
  const { token } = await sessionOf(user);
  const { devices } = await callApi(portalUrl(), list as typeof meterList, { pageSize: 10 }, token);
  return devices[0] ? `?id=${devices[0].deviceID}` : '';
}

async function incidentOf(user: DemoUser): Promise<string> {
  const { token } = await sessionOf(user);
  const { incidents } = await callApi(portalUrl(), incidentList, { condition: { view: 'all' }, pageSize: 10 }, token);
  return incidents[0] ? `?id=${incidents[0].incidentID}` : '';
}

async function plantOf(user: DemoUser): Promise<string> {
  const plants = await plantsOf(user);
  return `?id=${(plants.find(({ name }) => name === 'Haus Lindenblick') ?? plants[0])?.stationID}`;
}

async function burntInUnitOf(user: DemoUser): Promise<string> {
  const { token } = await sessionOf(user);
  const { units } = await callApi(portalUrl(), unitList, { condition: { states: ['failed'] }, pageSize: 10 }, token);
  return units[0] ? `?run=${units[0].runID}&sn=${units[0].sn}` : '';
}

type Queries = Partial<Record<RouteName, (user: DemoUser) => Promise<string>>>;

/** What of the demonstration a screen shows that names a record in its address. */
const queries: Queries = {
  'plant-detail': plantOf,
  'plant-edit': plantOf,
  'pile-edit': plantOf,
  'device-ems-config': async () => `?stationID=${(await plantNamed('Kapas Weaving Shed')).stationID}`,
  analysis: async (user) => `?id=${await inverterOf(user)}`,
  'device-inverter-detail': async (user) => `?id=${await inverterOf(user)}`,
  'remote-setting': async (user) => `?id=${await inverterOf(user)}`,
  'alarm-detail': incidentOf,
  'module-config': async (user) => `?id=${await dataloggerOf(user)}`,
  'device-ems-detail': (user) => firstOf(emsList, user),
  'aging-inverter-detail': burntInUnitOf,
  'meter-detail': (user) => firstOf(meterList, user),
  'integrator-inverter-detail': async (user) => `?id=${await inverterOf(user)}`,
};

async function stop(route: Route, user: DemoUser | undefined): Promise<Stop> {
  const query = user && (await queries[route.name as RouteName]?.(user));
  return { name: user ? `${route.name}-${user}` : route.name, user, address: `${route.path}${query ?? ''}` };
}

const built = (routes as readonly Route[]).filter(isBuilt);
const isPublic = (route: Route): boolean => route.levels === 'public';

/** Every page that needs no sign-in. */
export const publicStops = (): Promise<Stop[]> =>
  Promise.all(built.filter(isPublic).map((route) => stop(route, undefined)));

/** Every screen that a level may open, in the order of the route table. */
export function stopsOf(user: DemoUser): Promise<Stop[]> {
  const open = built.filter((route) => !isPublic(route) && usersOf(route).includes(user));
  return Promise.all(open.map((route) => stop(route, user)));
}

/** Screens that look different for a level, beside what the administrator sees of them. */
const lookDifferent: readonly { name: RouteName; users: readonly DemoUser[] }[] = [
  { name: 'bus-index', users: ['owner', 'integrator'] },
  { name: 'plant-detail', users: ['owner'] },
  { name: 'plant-link-sn', users: ['owner'] },
  { name: 'alarm-detail', users: ['owner'] },
  { name: 'user-center', users: ['owner'] },
  { name: 'user-management', users: ['distributor'] },
];

const lookers: readonly (DemoUser | undefined)[] = [undefined, 'owner', 'distributor', 'integrator', 'admin'];
/** Screens that are walked through in one go. */
const MOST_AT_ONCE = 12;

/** Every screen that there is, seen by whoever sees most of it and by those to whom it looks different. */
export async function allStops(): Promise<readonly Stop[]> {
  const business = await plantNamed('Bodega Valdeluz');
  const shown = await Promise.all(
    built
      .filter((route) => !isPublic(route))
      .flatMap((route) => {
        const others = lookDifferent.find(({ name }) => name === route.name)?.users ?? [];
        const users = usersOf(route);
        const first = users.find((user) => lookers.includes(user)) ?? users[0];
        return [...(first ? [first] : []), ...others].map((user) => stop(route, user));
      }),
  );
  const large = `/bus/plant/detail?id=${business.stationID}`;
  return [...(await publicStops()), ...shown, { name: 'plant-detail-business', user: 'admin', address: large }];
}

export interface ScreenWalk {
  readonly user: DemoUser | undefined;
  readonly stops: readonly Stop[];
  /** From which to which. */
  readonly names: string;
}

/** The ways through screens: those of a person in parts, each of which begins at home, beside which the rest is weighed. */
export function walksOf(all: readonly Stop[]): ScreenWalk[] {
  return lookers.flatMap((user) => {
    const own = all.filter((stop) => stop.user === user);
    const home = own.filter(({ address }) => address === HOME);
    const rest = own.filter((stop) => !home.includes(stop));
    const parts = Math.max(1, Math.ceil(rest.length / MOST_AT_ONCE));
    return Array.from({ length: parts }, (_, part) => {
      const these = rest.slice(Math.ceil((rest.length * part) / parts), Math.ceil((rest.length * (part + 1)) / parts));
      const stops = part === 0 ? [...home, ...these] : these;
      return { user, stops, names: `${stops[0]?.name} to ${stops.at(-1)?.name}` };
    });
  });
}
