import type { MessageRow, mark } from '@sonnenwarte/contract/messages/messages';
import { type ReactNode, useEffect } from 'react';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { write } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import styles from './messages.module.css';

/** An announcement, whole; opened it is read. */
export function MessageReader({ row, of, onClose }: ActionProps<MessageRow, typeof mark>): ReactNode {
  const { moment } = useMoments();
  const { messageID, isRead, subject, text, atMs } = row;
  useEffect(() => {
    // The client says what goes wrong.
    if (!isRead) write(of, { ids: [messageID], isRead: true }).catch(() => undefined);
  }, [of, messageID, isRead]);
  return (
    <Dialog title={subject} opened onClose={onClose} shape="drawer">
      <p className={styles.when}>{moment(atMs, localZone())}</p>
      <p className={styles.words}>{text}</p>
    </Dialog>
  );
}
