import {
  type MessageRow,
  message,
  type Recording,
  record,
  remove,
  stop,
} from '@sonnenwarte/contract/test-log/test-log';
import { IconPlayerRecord, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const making = actionsOf<{ readonly dataloggerSN: string }>();

export const recordingMaking = making.table(
  'test-log',
  { nameOf: ({ dataloggerSN }) => dataloggerSN },
  {
    record: making.opens(record, async () => (await import('./record-form.tsx')).RecordForm, {
      icon: IconPlayerRecord,
    }),
  },
);

const recordings = actionsOf<Recording>();

/** What can be done with a recording. */
export const recordingActions = recordings.table(
  'test-log',
  { nameOf: ({ dataloggerSN }) => dataloggerSN },
  {
    stop: recordings.asks(stop, ({ id }) => ({ id }), { icon: IconPlayerStop, when: ({ end }) => end === null }),
    delete: recordings.asks(remove, ({ id }) => ({ id }), { icon: IconTrash, danger: true }),
  },
);

const messages = actionsOf<MessageRow>();

/** What can be done with a message: looked at. */
export const messageActions = messages.table(
  'test-log',
  { nameOf: ({ id }) => String(id) },
  {
    look: messages.opens(message, async () => (await import('./message-drawer.tsx')).MessageDrawer, {
      label: ({ kind }, t) => t('test-log.message.title', { kind }),
    }),
  },
);
