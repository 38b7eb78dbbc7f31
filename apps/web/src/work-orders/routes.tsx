import type { detail, list } from '@sonnenwarte/contract/work-orders/work-orders';
import { early } from '../client/asked-early.ts';
import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'work-order-list': lazyScreen(
    async () => (await import('./order-list-screen.tsx')).OrderListScreen,
    (query) =>
      Object.keys(query).length > 0 ? [] : [early<typeof list>({ method: 'POST', path: '/ticket/v0/list' }, {})],
  ),
  'work-order-add': lazyScreen(async () => (await import('./order-add-screen.tsx')).OrderAddScreen),
  'work-order-detail': lazyScreen(
    async () => (await import('./order-screen.tsx')).OrderScreen,
    ({ id }) => (id === undefined ? [] : [early<typeof detail>({ method: 'GET', path: '/ticket/v0/detail' }, { id })]),
  ),
};
