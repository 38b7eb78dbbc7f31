import type { setUpState } from '@sonnenwarte/contract/accounts/own-account';
import { early } from '../client/asked-early.ts';
import { lazyScreen } from '../lazy-screen.ts';
import type { PublicScreens } from '../screens.ts';

export const publicScreens: PublicScreens = {
  login: lazyScreen(
    async () => (await import('./login-screen.tsx')).LoginScreen,
    () => [early<typeof setUpState>({ method: 'GET', path: '/c/v0/setup/state' }, {})],
  ),
};
