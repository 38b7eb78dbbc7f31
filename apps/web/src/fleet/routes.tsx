import type { summary } from '@sonnenwarte/contract/fleet/fleet';
import { LEVEL } from '@sonnenwarte/contract/levels';
import type { list } from '@sonnenwarte/contract/sites/sites';
import { early } from '../client/asked-early.ts';
import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';
import { globalState } from '../state/global-state.ts';
import { homeAt } from './homes.ts';

export const screens: Screens = {
  'bus-index': lazyScreen(
    async () => {
      const [{ HomeScreen }] = await Promise.all([
        import('./home-screen.tsx'),
        homeAt(globalState.get().access).preload(),
      ]);
      return HomeScreen;
    },
    (_, access) => [
      access === LEVEL.endUser
        ? early<typeof list>({ method: 'POST', path: '/c/v1/plant/list' }, { pageSize: 50 })
        : early<typeof summary>({ method: 'GET', path: '/c/v0/fleet/summary' }, {}),
    ],
  ),
};
