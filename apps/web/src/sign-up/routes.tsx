import { lazyScreen } from '../lazy-screen.ts';
import type { PublicScreens } from '../screens.ts';

export const publicScreens: PublicScreens = {
  'sign-up': lazyScreen(async () => (await import('./sign-up-screen.tsx')).SignUpScreen),
};
