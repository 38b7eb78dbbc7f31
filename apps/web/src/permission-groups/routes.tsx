import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'permission-group': lazyScreen(
    async () => (await import('./permission-group-list-screen.tsx')).PermissionGroupListScreen,
  ),
};
