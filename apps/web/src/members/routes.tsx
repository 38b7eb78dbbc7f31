import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  member: lazyScreen(async () => (await import('./member-list-screen.tsx')).MemberListScreen),
};
