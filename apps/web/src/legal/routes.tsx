import type { PublicScreens } from '../screens.ts';

export const publicScreens: PublicScreens = {
  terms: async () => (await import('./legal-screen.tsx')).TermsScreen,
  privacy: async () => (await import('./legal-screen.tsx')).PrivacyScreen,
};
