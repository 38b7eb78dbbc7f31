import type { Message } from '../client/reporting.ts';
import { createStore, useStore } from '../state/store.ts';

const SHOWN_MS = 5_000;
const MAX_SHOWN = 4;

const shown = createStore<{ list: readonly Message[] }>({ list: [] });
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export const shownNotices = (): readonly Message[] => shown.get().list;

export function dismiss(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  shown.set(({ list }) => ({ list: list.filter((each) => each.id !== id) }));
}

/** Takes away what was said: something new begins. */
export function dismissAll(): void {
  for (const { id } of shown.get().list) dismiss(id);
}

/** Shows a message for a while; one with the same id that is still shown is not shown twice. */
export function showNotice(message: Message): void {
  const { list } = shown.get();
  if (list.some(({ id }) => id === message.id)) return;
  for (const { id } of list.slice(0, Math.max(0, list.length + 1 - MAX_SHOWN))) dismiss(id);
  shown.set((rest) => ({ list: [...rest.list, message] }));
  timers.set(
    message.id,
    setTimeout(() => dismiss(message.id), message.forMs ?? SHOWN_MS),
  );
}

export const useNotices = (): readonly Message[] => useStore(shown, ({ list }) => list);
