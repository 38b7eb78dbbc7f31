import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'plant-map': lazyScreen(async () => (await import('./plant-map-screen.tsx')).PlantMapScreen),
};
