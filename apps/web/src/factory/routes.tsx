import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  factory: lazyScreen(async () => (await import('./factory-screen.tsx')).FactoryScreen),
};
