import { endOtherSessions, endSession, type SessionInfo } from '@sonnenwarte/contract/user-center/user-center';
import { actionsOf } from '../blocks/actions/actions.tsx';

const one = actionsOf<SessionInfo & { name: string }>();

/** What can be done with a session elsewhere. */
export const sessionActions = one.table(
  'user-center.sessions',
  { nameOf: ({ name }) => name },
  { end: one.asks(endSession, ({ id }) => ({ id }), { grave: true, when: ({ current }) => !current }) },
);

const all = actionsOf<readonly SessionInfo[]>();

export const sessionsActions = all.table(
  'user-center.sessions',
  { nameOf: () => '' },
  {
    endOthers: all.asks(endOtherSessions, () => ({}), {
      grave: true,
      when: (sessions) => sessions.some(({ current }) => !current),
    }),
  },
);
