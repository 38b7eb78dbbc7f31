import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'bus-index': lazyScreen(async () => (await import('./home-screen.tsx')).HomeScreen),
};
