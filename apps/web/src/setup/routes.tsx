import { lazyScreen } from '../lazy-screen.ts';
import type { PublicScreens } from '../screens.ts';

export const publicScreens: PublicScreens = {
  setup: lazyScreen(async () => (await import('./setup-screen.tsx')).SetupScreen),
};
