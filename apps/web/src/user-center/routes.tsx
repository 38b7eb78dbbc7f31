import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'user-center': lazyScreen(async () => (await import('./user-center-screen.tsx')).UserCenterScreen),
};
