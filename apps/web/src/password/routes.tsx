import type { PublicScreens } from '../screens.ts';

export const publicScreens: PublicScreens = {
  'forgot-password': async () => (await import('./forgot-password-screen.tsx')).ForgotPasswordScreen,
  'reset-password': async () => (await import('./reset-password-screen.tsx')).ResetPasswordScreen,
  'change-password': async () => (await import('./change-password-screen.tsx')).ChangePasswordScreen,
  'confirm-email': async () => (await import('./confirm-email-screen.tsx')).ConfirmEmailScreen,
};
