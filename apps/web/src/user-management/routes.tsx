import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'user-management': lazyScreen(async () => (await import('./user-management-screen.tsx')).UserManagementScreen),
};
