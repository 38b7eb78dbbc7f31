import type { list, unread } from '@sonnenwarte/contract/messages/messages';
import { early } from '../client/asked-early.ts';
import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  message: lazyScreen(
    async () => (await import('./message-list-screen.tsx')).MessageListScreen,
    (query) => [
      early<typeof unread>({ method: 'GET', path: '/c/v0/message/unread' }, {}),
      ...(Object.keys(query).length > 0
        ? []
        : [early<typeof list>({ method: 'POST', path: '/c/v0/message/list' }, {})]),
    ],
  ),
};
