import type { list, real } from '@sonnenwarte/contract/devices/devices';
import { early } from '../client/asked-early.ts';
import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

const inverterList = lazyScreen(
  async () => (await import('./inverter-list-screen.tsx')).InverterListScreen,
  (query) =>
    Object.keys(query).length > 0 ? [] : [early<typeof list>({ method: 'POST', path: '/c/v0/device/list' }, {})],
);
const inverter = lazyScreen(
  async () => (await import('./inverter-screen.tsx')).InverterScreen,
  ({ id, deviceID = id }) =>
    deviceID === undefined ? [] : [early<typeof real>({ method: 'GET', path: '/c/v0/device/real' }, { deviceID })],
);

export const screens: Screens = {
  'device-inverter': inverterList,
  'integrator-device-list': inverterList,
  'device-inverter-detail': inverter,
  'integrator-inverter-detail': inverter,
};
