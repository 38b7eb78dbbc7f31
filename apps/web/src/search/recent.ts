import type { RouteName } from '@sonnenwarte/contract/routes';
import * as z from 'zod/mini';
import type { Query } from '../router/query.ts';
import { hasScreen } from '../screens.ts';
import { onSessionEnd, tokenOf } from '../state/session.ts';
import { readSession, writeSession } from '../state/storage.ts';
import { tabState } from '../tabs/tab-state.ts';
import { HOME_TAB_ID } from '../tabs/tabs.ts';

const MOST = 8;
const KEY = 'recent';

const storedPlaces = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    title: z.nullable(z.string()),
    query: z.record(z.string(), z.string()),
  }),
);

/** A tab that was shown, as it can be opened again. */
export interface RecentPlace {
  id: string;
  name: RouteName;
  title: string | null;
  query: Query;
}

function restored(): RecentPlace[] {
  const { data = [] } = z.safeParse(storedPlaces, readSession(KEY));
  return data.flatMap(({ name, ...rest }) => (hasScreen(name) ? [{ ...rest, name }] : []));
}

let places = restored();

/** What was opened last, the newest first, without what is shown. */
export const recentPlaces = (): readonly RecentPlace[] => {
  const { activeId } = tabState.get();
  return places.filter(({ id }) => id !== activeId).slice(0, MOST);
};

function note(): void {
  const { list, activeId } = tabState.get();
  const shown = list.find(({ id }) => id === activeId);
  if (!shown || shown.id === HOME_TAB_ID || tokenOf() === '') return;
  const { id, name, title, query } = shown;
  const [newest] = places;
  if (newest?.id === id && newest.title === title && newest.query === query) return;
  // One more than are shown: the one at hand is not.
  places = [{ id, name, title, query }, ...places.filter((place) => place.id !== id)].slice(0, MOST + 1);
  writeSession(KEY, places);
}

/** Notes from now on what is opened, as long as the browser tab lives and the session lasts. */
export function noteRecent(): () => void {
  note();
  return tabState.subscribe(note);
}

onSessionEnd(() => {
  places = [];
});
