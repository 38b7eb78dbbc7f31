import type { batteryList, emsList, gatewayList, meterList } from '@sonnenwarte/contract/devices/device-lists';
import type { list, real } from '@sonnenwarte/contract/devices/devices';
import { type Early, early } from '../client/asked-early.ts';
import { lazyScreen } from '../lazy-screen.ts';
import type { Query } from '../router/query.ts';
import type { Screens } from '../screens.ts';

const whole = (asked: Early) => (query: Query) => (Object.keys(query).length > 0 ? [] : [asked]);
const one = ({ id, deviceID = id }: Query) =>
  deviceID === undefined ? [] : [early<typeof real>({ method: 'GET', path: '/c/v0/device/real' }, { deviceID })];

const firstInverters = early<typeof list>({ method: 'POST', path: '/c/v0/device/list' }, {});
const firstBatteries = early<typeof batteryList>({ method: 'POST', path: '/c/v0/device/battery/list' }, {});
const firstGateways = early<typeof gatewayList>({ method: 'POST', path: '/c/v0/device/gateway/list' }, {});

const inverterList = lazyScreen(
  async () => (await import('./device-list-screen.tsx')).InverterListScreen,
  whole(firstInverters),
);
const detail = lazyScreen(async () => (await import('./device-screen.tsx')).DeviceScreen, one);

export const screens: Screens = {
  'device-inverter': inverterList,
  'device-battery': lazyScreen(
    async () => (await import('./list-or-detail.tsx')).BatteryScreen,
    (query) => ('id' in query || 'deviceID' in query ? one(query) : whole(firstBatteries)(query)),
  ),
  'device-ems': lazyScreen(
    async () => (await import('./device-list-screen.tsx')).EmsListScreen,
    whole(early<typeof emsList>({ method: 'POST', path: '/c/v0/device/ems/list' }, {})),
  ),
  'device-gateway': lazyScreen(
    async () => (await import('./list-or-detail.tsx')).GatewayScreen,
    (query) => ('id' in query || 'deviceID' in query ? one(query) : whole(firstGateways)(query)),
  ),
  'meter-list': lazyScreen(
    async () => (await import('./device-list-screen.tsx')).MeterListScreen,
    whole(early<typeof meterList>({ method: 'POST', path: '/c/v0/meter/list' }, {})),
  ),
  'integrator-device-list': lazyScreen(
    async () => (await import('./device-list-screen.tsx')).GrantedListScreen,
    whole(firstInverters),
  ),
  'integrator-inverter': inverterList,
  'device-inverter-detail': detail,
  'device-ems-detail': detail,
  'meter-detail': detail,
  'integrator-inverter-detail': detail,
};
