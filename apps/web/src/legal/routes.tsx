import { lazyScreen } from '../lazy-screen.ts';
import type { PublicScreens } from '../screens.ts';

export const publicScreens: PublicScreens = {
  terms: lazyScreen(async () => (await import('./legal-screen.tsx')).TermsScreen),
  privacy: lazyScreen(async () => (await import('./legal-screen.tsx')).PrivacyScreen),
};
