import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'plant-view': lazyScreen(async () => (await import('./site-list-screen.tsx')).SiteListScreen),
  'plant-detail': lazyScreen(async () => (await import('./site-screen.tsx')).SiteScreen),
  'data-view': lazyScreen(async () => (await import('./site-screen.tsx')).DataViewScreen),
};
