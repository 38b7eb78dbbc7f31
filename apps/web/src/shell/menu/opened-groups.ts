import * as z from 'zod/mini';
import { onSessionEnd } from '../../state/session.ts';
import { readSession, writeSession } from '../../state/storage.ts';
import { createStore, useStore } from '../../state/store.ts';

const KEY = 'menuOpened';
const names = z.array(z.string());

interface OpenedGroups {
  /** Opened by hand; a reload keeps them. */
  opened: readonly string[];
  /** Closed by hand where all are open by themselves. */
  shut: readonly string[];
  /** The group of the current screen, closed by hand while this screen is shown. */
  closed: { group: string; screen: string | undefined } | undefined;
}

const groups = createStore<OpenedGroups>({
  opened: z.safeParse(names, readSession(KEY)).data ?? [],
  shut: [],
  closed: undefined,
});

groups.subscribe(() => {
  const { opened } = groups.get();
  writeSession(KEY, opened.length === 0 ? null : opened);
});
onSessionEnd(() => groups.set({ opened: [], shut: [], closed: undefined }));

interface Place {
  readonly isCurrent: boolean;
  /** All of a short menu is seen at once. */
  readonly isShort: boolean;
  readonly screen: string | undefined;
}

/** Whether a group of the menu is open: the one of the current screen is, those that were opened by hand, and all of a short menu. */
export function useGroupOpened(
  group: string,
  { isCurrent, isShort, screen }: Place,
): { opened: boolean; toggle: () => void } {
  const byHand = useStore(groups, (state) => state.opened).includes(group);
  const closed = useStore(groups, (state) => state.closed);
  const isShut = useStore(groups, (state) => state.shut).includes(group);
  const isClosed = closed?.group === group && closed.screen === screen;
  const opened = byHand || (isCurrent ? !isClosed : isShort && !isShut);
  const toggle = () =>
    groups.set((state) => ({
      opened: opened ? state.opened.filter((each) => each !== group) : [...state.opened, group],
      shut: opened ? [...state.shut, group] : state.shut.filter((each) => each !== group),
      closed: opened && isCurrent ? { group, screen } : undefined,
    }));
  return { opened, toggle };
}
