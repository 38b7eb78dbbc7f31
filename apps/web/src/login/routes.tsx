import type { PublicScreens } from '../screens.ts';

export const publicScreens: PublicScreens = {
  login: async () => (await import('./login-screen.tsx')).LoginScreen,
};
