import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'device-module': lazyScreen(async () => (await import('./datalogger-list-screen.tsx')).DataloggerListScreen),
  'module-config': lazyScreen(async () => (await import('./datalogger-screen.tsx')).DataloggerScreen),
};
