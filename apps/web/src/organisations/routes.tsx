import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'group-management': lazyScreen(async () => (await import('./organisations-screen.tsx')).OrganisationsScreen),
};
