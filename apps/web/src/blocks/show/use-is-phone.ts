import { useSyncExternalStore } from 'react';

const phone = '(max-width: 48em)';
const narrow = '(max-width: 74.9375em)';

function subscribeTo(query: string): (listener: () => void) => () => void {
  return (listener) => {
    const list = matchMedia(query);
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  };
}

const subscribeToPhone = subscribeTo(phone);
const subscribeToNarrow = subscribeTo(narrow);

export const isPhone = (): boolean => matchMedia(phone).matches;

/** Whether the window is as narrow as a phone (768 px and less). */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribeToPhone, isPhone, () => false);

/** Whether the window is narrower than 1200 px, as a tablet's. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribeToNarrow, () => matchMedia(narrow).matches);
