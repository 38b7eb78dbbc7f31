import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'test-log': lazyScreen(async () => (await import('./test-log-screen.tsx')).TestLogScreen),
};
