import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'install-trend': lazyScreen(async () => (await import('./install-trend-screen.tsx')).InstallTrendScreen),
};
