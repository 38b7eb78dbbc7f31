import { lazyScreen } from '../lazy-screen.ts';
import type { PublicScreens } from '../screens.ts';

export const publicScreens: PublicScreens = {
  'forgot-password': lazyScreen(async () => (await import('./forgot-password-screen.tsx')).ForgotPasswordScreen),
  'reset-password': lazyScreen(async () => (await import('./reset-password-screen.tsx')).ResetPasswordScreen),
  'change-password': lazyScreen(async () => (await import('./change-password-screen.tsx')).ChangePasswordScreen),
  'confirm-email': lazyScreen(async () => (await import('./confirm-email-screen.tsx')).ConfirmEmailScreen),
};
