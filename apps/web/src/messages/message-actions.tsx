import { type MessageRow, MOST_MESSAGES_AT_ONCE, mark, remove } from '@sonnenwarte/contract/messages/messages';
import { IconArrowRight, IconMail, IconMailOpened, IconTrash } from '@tabler/icons-react';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { actionsOf } from '../blocks/actions/actions.tsx';
import { type Selection, useSelection } from '../blocks/list/selection.tsx';
import { openScreen } from '../blocks/show/screen-link.tsx';
import type { Permitted } from '../client/permit.ts';
import { write } from '../client/queries.ts';
import { globalState } from '../state/global-state.ts';
import { leadsTo } from './leads-to.ts';

const one = actionsOf<MessageRow>();
const loadReader = async () => (await import('./message-reader.tsx')).MessageReader;

const targetOf = (row: MessageRow) => leadsTo(row, globalState.get().access);
const isLeading = (row: MessageRow): boolean => targetOf(row) !== undefined;
const isOwn = ({ kind }: MessageRow): boolean => kind === 'announcement';

/** What can be done with a message; a click on it leads to what it is about, and it is read. */
export const inboxActions = one.table(
  'messages',
  { nameOf: ({ subject }) => subject },
  {
    open: {
      ...one.leads(mark, (row) => targetOf(row) ?? { to: 'message' }, { icon: IconArrowRight, when: isLeading }),
      // It leads there also where nothing can be marked: without a connection, or through other eyes.
      send: async (row: MessageRow, of: Permitted<unknown>) => {
        openScreen(targetOf(row) ?? { to: 'message' });
        if (!row.isRead)
          await write(of as Permitted<typeof mark>, { ids: [row.messageID], isRead: true }, { quiet: true });
      },
    },
    show: one.opens(mark, loadReader, { icon: IconMailOpened, when: isOwn, opensRow: true }),
    read: one.sends(mark, ({ messageID }) => ({ ids: [messageID], isRead: true }), {
      icon: IconMailOpened,
      when: ({ isRead }) => !isRead,
    }),
    unread: one.sends(mark, ({ messageID }) => ({ ids: [messageID], isRead: false }), {
      icon: IconMail,
      when: ({ isRead }) => isRead,
    }),
    delete: one.asks(remove, ({ messageID }) => ({ ids: [messageID] }), { icon: IconTrash, danger: true }),
  },
);

interface Chosen {
  readonly ids: readonly string[];
}

const several = actionsOf<Chosen>();

const chosenActions = several.table(
  'messages',
  { nameOf: () => '' },
  {
    read: several.sends(mark, ({ ids }) => ({ ids: [...ids], isRead: true }), { icon: IconMailOpened }),
    unread: several.sends(mark, ({ ids }) => ({ ids: [...ids], isRead: false }), { icon: IconMail }),
    delete: several.asks(remove, ({ ids }) => ({ ids: [...ids] }), { icon: IconTrash, danger: true }),
  },
);

/** Messages to choose, with what can be done with several. */
export function useChosenMessages(): Selection {
  const chosen = useSelection();
  return {
    ...chosen,
    canSelect: (key) => chosen.keys.has(key) || chosen.keys.size < MOST_MESSAGES_AT_ONCE,
    actions: <ActionButtons table={chosenActions} row={{ ids: [...chosen.keys] }} small onDone={chosen.clear} />,
  };
}
