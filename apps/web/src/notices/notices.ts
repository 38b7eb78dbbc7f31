import type { Message } from '../client/reporting.ts';
import { createStore, useStore } from '../state/store.ts';

const SHOWN_MS = 5_000;
const MAX_SHOWN = 4;

const shown = createStore<{ list: readonly Message[] }>({ list: [] });

export const dismiss = (id: string): void => shown.set(({ list }) => ({ list: list.filter((each) => each.id !== id) }));

/** Shows a message for a while; one with the same id that is still shown is not shown twice. */
export function showNotice(message: Message): void {
  if (shown.get().list.some(({ id }) => id === message.id)) return;
  shown.set(({ list }) => ({ list: [...list, message].slice(-MAX_SHOWN) }));
  setTimeout(() => dismiss(message.id), message.forMs ?? SHOWN_MS);
}

export const useNotices = (): readonly Message[] => useStore(shown, ({ list }) => list);
