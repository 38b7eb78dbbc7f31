import { createStore, useStore } from '../state/store.ts';

/** Where the browser is, once the guard has let it through. */
export interface Place {
  readonly pathname: string;
  readonly search: string;
}

/** Where a path leads instead; `undefined` where one may stay. */
export type Redirect = (pathname: string) => string | undefined;

const MAX_REDIRECTS = 8;

const place = createStore<Place>({ pathname: '', search: '' });
let redirect: Redirect = () => undefined;

export const usePlace = (): Place => {
  const pathname = useStore(place, (current) => current.pathname);
  const search = useStore(place, (current) => current.search);
  return { pathname, search };
};

/** Follows the redirects of the address at hand, then makes it the place that is shown. */
export function settle(): void {
  for (let count = 0; count < MAX_REDIRECTS; count += 1) {
    const to = redirect(location.pathname);
    if (to === undefined || to === location.pathname) break;
    history.replaceState(history.state, '', to);
  }
  place.set({ pathname: location.pathname, search: location.search });
}

/** Goes to an address of the portal; the one at hand gets no second entry in the history. */
export function goToAddress(address: string, replace: boolean): void {
  const same = new URL(address, location.href).href === location.href;
  if (replace || same) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  settle();
}

/** Begins to follow the address; `redirects` decides at each. */
export function followAddress(redirects: Redirect): void {
  redirect = redirects;
  addEventListener('popstate', settle);
  settle();
}
