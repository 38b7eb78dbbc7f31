import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'pile-edit': lazyScreen(async () => (await import('./piles-screen.tsx')).PilesScreen),
};
