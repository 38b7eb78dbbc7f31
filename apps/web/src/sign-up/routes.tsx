import type { PublicScreens } from '../screens.ts';

export const publicScreens: PublicScreens = {
  'sign-up': async () => (await import('./sign-up-screen.tsx')).SignUpScreen,
};
