import type { PublicScreens } from '../screens.ts';

export const publicScreens: PublicScreens = {
  setup: async () => (await import('./setup-screen.tsx')).SetupScreen,
};
