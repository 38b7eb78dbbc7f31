import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'device-ems-config': lazyScreen(async () => (await import('./grid-limit-screen.tsx')).GridLimitScreen),
};
