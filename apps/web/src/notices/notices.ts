import { notifications } from '@mantine/notifications';
import type { Message } from '../client/reporting.ts';

const SHOWN_MS = 5_000;

/** Shows a message; one with the same id that is still shown is not shown twice. */
export const showNotification = ({ id, text, color, forMs = SHOWN_MS }: Message): void => {
  notifications.show({ id, message: text, color, autoClose: forMs, withBorder: true });
};

export const hideMessages = (): void => notifications.clean();
