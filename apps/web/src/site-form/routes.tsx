import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'plant-add': lazyScreen(async () => (await import('./site-form-screens.tsx')).SiteAddScreen),
  'plant-edit': lazyScreen(async () => (await import('./site-form-screens.tsx')).SiteEditScreen),
  'plant-link-sn': lazyScreen(async () => (await import('./site-form-screens.tsx')).SiteLinkScreen),
};
