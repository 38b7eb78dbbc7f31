import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'account-migration': lazyScreen(async () => (await import('./migration-screen.tsx')).MigrationScreen),
};
