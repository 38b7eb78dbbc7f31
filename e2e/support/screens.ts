import { list as deviceList } from '@sonnenwarte/contract/inverters/inverters';
import type { RouteName } from '@sonnenwarte/contract/routes';
import { callApi } from './api.ts';
import { type DemoUser, plantNamed, portalUrl, sessionOf } from './demo.ts';

/** Screens of the workspace that exist so far; any other route of the table leads to /error/404. */
export const builtScreens: readonly RouteName[] = [
  'bus-index',
  'data-view',
  'plant-view',
  'plant-detail',
  'device-inverter',
  'device-inverter-detail',
  'integrator-device-list',
  'integrator-inverter-detail',
];

/** A screen as the journeys visit it: who opens it, at which address. */
export interface Stop {
  name: string;
  user: DemoUser | undefined;
  address: string;
}

async function inverterOf(user: DemoUser, sn: string): Promise<string> {
  const { token } = await sessionOf(user);
  const { devices } = await callApi(portalUrl(), deviceList, { condition: { content: sn } }, token);
  const found = devices.find((device) => device.deviceSN === sn);
  if (!found) throw new Error(`There is no inverter ${sn}`);
  return found.deviceID;
}

/** Every screen that there is, with data that show it well. */
export async function allStops(): Promise<readonly Stop[]> {
  const house = await plantNamed('Haus Lindenblick');
  const business = await plantNamed('Bodega Valdeluz');
  const inverter = await inverterOf('admin', 'H8T2311A00117');
  const granted = await inverterOf('integrator', 'H8T2311A00117');
  return [
    { name: 'login', user: undefined, address: '/login' },
    { name: 'error-404', user: undefined, address: '/error/404' },
    { name: 'error-403', user: undefined, address: '/error/403' },
    { name: 'error-5xx', user: undefined, address: '/error/5xx' },
    { name: 'error-no-permissions', user: undefined, address: '/error/noPermissions' },
    { name: 'home-owner', user: 'owner', address: '/bus/index' },
    { name: 'home-admin', user: 'admin', address: '/bus/index' },
    { name: 'plant-list', user: 'admin', address: '/bus/plant/view' },
    { name: 'plant', user: 'owner', address: `/bus/plant/detail?id=${house.stationID}` },
    { name: 'plant-business', user: 'admin', address: `/bus/plant/detail?id=${business.stationID}` },
    { name: 'data-board', user: 'installer', address: '/bus/dataView' },
    { name: 'inverters', user: 'admin', address: '/bus/device/inverter' },
    { name: 'inverter', user: 'admin', address: `/bus/device/inverterDetail?id=${inverter}` },
    { name: 'integrator-list', user: 'integrator', address: '/bus/integrator/device/list' },
    { name: 'integrator-device', user: 'integrator', address: `/bus/integrator/inverterDetail?id=${granted}` },
  ];
}
