import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'doc-manual': lazyScreen(async () => (await import('./document-list-screen.tsx')).DocumentListScreen),
};
