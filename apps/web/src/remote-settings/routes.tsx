import type { view } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { early } from '../client/asked-early.ts';
import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'remote-setting': lazyScreen(
    async () => (await import('./settings-screen.tsx')).SettingsScreen,
    ({ id, deviceID = id }) =>
      deviceID === undefined
        ? []
        : [early<typeof view>({ method: 'GET', path: '/c/v0/device/setting/view' }, { id: deviceID })],
  ),
  'group-remote': lazyScreen(async () => (await import('./group-screen.tsx')).GroupScreen),
};
