import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  organization: lazyScreen(async () => (await import('./department-screen.tsx')).DepartmentScreen),
};
