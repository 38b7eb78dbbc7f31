import * as z from 'zod/mini';
import { onSessionEnd } from '../../state/session.ts';
import { readSession, writeSession } from '../../state/storage.ts';
import { createStore, useStore } from '../../state/store.ts';

const KEY = 'menuOpened';
const names = z.array(z.string());

interface OpenedGroups {
  /** Opened by hand; a reload keeps them. */
  opened: readonly string[];
  /** The group of the current screen, closed by hand while this screen is shown. */
  closed: { group: string; screen: string | undefined } | undefined;
}

const groups = createStore<OpenedGroups>({
  opened: z.safeParse(names, readSession(KEY)).data ?? [],
  closed: undefined,
});

groups.subscribe(() => {
  const { opened } = groups.get();
  writeSession(KEY, opened.length === 0 ? null : opened);
});
onSessionEnd(() => groups.set({ opened: [], closed: undefined }));

/** Whether a group of the menu is open: the one of the current screen is, and those that were opened by hand. */
export function useGroupOpened(
  group: string,
  isCurrent: boolean,
  screen: string | undefined,
): { opened: boolean; toggle: () => void } {
  const byHand = useStore(groups, (state) => state.opened).includes(group);
  const closed = useStore(groups, (state) => state.closed);
  const isClosed = closed?.group === group && closed.screen === screen;
  const opened = byHand || (isCurrent && !isClosed);
  const toggle = () =>
    groups.set((state) => ({
      opened: opened ? state.opened.filter((each) => each !== group) : [...state.opened, group],
      closed: opened && isCurrent ? { group, screen } : undefined,
    }));
  return { opened, toggle };
}
