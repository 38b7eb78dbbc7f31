import { messageEndpoints } from '@sonnenwarte/contract/messages/messages';
import { featureOf } from '../feature.ts';
import type { Uses } from '../services.ts';
import { markAllRead, markInbox, messageList, removeMessages, unreadMessages } from './messages.service.ts';
import { forgetOldMessages, forgetSurplus } from './messages.store.ts';

/** What an account is told in the portal. */
export const feature = featureOf(
  messageEndpoints,
  {
    list: messageList,
    exportList: { find: messageList, own: { subject: ({ subject }) => subject } },
    unread: unreadMessages,
    mark: markInbox,
    markAll: markAllRead,
    remove: removeMessages,
  },
  start,
);

const FORGET_AT = '40 3 * * *';
const FORGOTTEN_AT_ONCE = 5_000;

function start({ db, jobs, nowMs }: Uses<'db' | 'jobs' | 'nowMs'>): void {
  jobs.every('messages.forget', FORGET_AT, async (ending) => {
    while (
      !ending.aborted &&
      (await forgetOldMessages(db, new Date(nowMs()), FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE
    );
    await forgetSurplus(db);
  });
}
