import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'dev-ops': lazyScreen(async () => (await import('./dev-ops-screen.tsx')).DevOpsScreen),
};
