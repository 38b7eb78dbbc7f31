import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  announcements: lazyScreen(async () => (await import('./announcement-list-screen.tsx')).AnnouncementListScreen),
};
