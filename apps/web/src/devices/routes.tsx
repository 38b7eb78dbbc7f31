import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

const inverterList = lazyScreen(async () => (await import('./inverter-list-screen.tsx')).InverterListScreen);
const inverter = lazyScreen(async () => (await import('./inverter-screen.tsx')).InverterScreen);

export const screens: Screens = {
  'device-inverter': inverterList,
  'integrator-device-list': inverterList,
  'device-inverter-detail': inverter,
  'integrator-inverter-detail': inverter,
};
