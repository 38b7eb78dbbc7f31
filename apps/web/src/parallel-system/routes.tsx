import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'plant-parallel-system': lazyScreen(async () => (await import('./parallel-system-screen.tsx')).ParallelSystemScreen),
};
