import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'work-model': lazyScreen(async () => (await import('./work-mode-screen.tsx')).WorkModeScreen),
  'work-charge': lazyScreen(async () => (await import('./charge-screen.tsx')).ChargeScreen),
};
