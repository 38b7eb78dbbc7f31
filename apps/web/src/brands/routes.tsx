import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'doc-brand': lazyScreen(async () => (await import('./brand-list-screen.tsx')).BrandListScreen),
};
