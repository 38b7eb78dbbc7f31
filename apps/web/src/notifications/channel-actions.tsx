import { type Channel, remove, test } from '@sonnenwarte/contract/notifications/notifications';
import { IconSend, IconTrash } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';
import { showMessage } from '../client/reporting.ts';
import { failureText } from './channel-words.ts';

const { asks, sends, table } = actionsOf<Channel>();

/** What can be done with a channel of notices. */
export const channelActions = table(
  'notifications',
  { nameOf: ({ name, target }) => name || target },
  {
    test: sends(test, ({ id }) => ({ id }), {
      icon: IconSend,
      told: ({ delivered, failure }, { id }, t) =>
        showMessage({
          id: `channel-${id}`,
          text: delivered
            ? t('notifications.testSent')
            : t('notifications.testFailed', { reason: failureText(t, failure) }),
          color: delivered ? 'brand' : 'red',
        }),
    }),
    remove: asks(remove, ({ id }) => ({ id }), { icon: IconTrash, danger: true }),
  },
);
