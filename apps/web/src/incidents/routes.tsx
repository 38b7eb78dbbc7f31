import type { summary } from '@sonnenwarte/contract/incidents/incident-summary';
import type { detail, list } from '@sonnenwarte/contract/incidents/incidents';
import { early } from '../client/asked-early.ts';
import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

const incidents = lazyScreen(
  async () => (await import('./incident-list-screen.tsx')).IncidentListScreen,
  (query) => [
    early<typeof summary>({ method: 'GET', path: '/c/v0/alarm/summary' }, {}),
    ...(Object.keys(query).length > 0 ? [] : [early<typeof list>({ method: 'POST', path: '/c/v0/alarm/list' }, {})]),
  ],
);

export const screens: Screens = {
  alarm: incidents,
  'integrator-alarm': incidents,
  'alarm-detail': lazyScreen(
    async () => (await import('./incident-screen.tsx')).IncidentScreen,
    ({ id }) => (id === undefined ? [] : [early<typeof detail>({ method: 'GET', path: '/c/v0/alarm/detail' }, { id })]),
  ),
};
