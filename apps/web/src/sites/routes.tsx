import type { devices } from '@sonnenwarte/contract/sites/site-endpoints';
import type { detail, figures, list, live } from '@sonnenwarte/contract/sites/sites';
import { early } from '../client/asked-early.ts';
import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'plant-view': lazyScreen(
    async () => (await import('./site-list-screen.tsx')).SiteListScreen,
    (query) =>
      Object.keys(query).length > 0 ? [] : [early<typeof list>({ method: 'POST', path: '/c/v1/plant/list' }, {})],
  ),
  'plant-detail': lazyScreen(
    async () => (await import('./site-screen.tsx')).SiteScreen,
    ({ id, stationID = id }) =>
      stationID === undefined
        ? []
        : [
            early<typeof detail>({ method: 'GET', path: '/c/v0/plant/detail' }, { stationID }),
            early<typeof live>({ method: 'GET', path: '/c/v0/plant/live' }, { stationID }),
            early<typeof figures>({ method: 'GET', path: '/c/v0/plant/figures' }, { stationID }),
            early<typeof devices>({ method: 'GET', path: '/c/v0/plant/devices' }, { stationID }),
          ],
  ),
  'data-view': lazyScreen(async () => (await import('./site-screen.tsx')).DataViewScreen),
};
