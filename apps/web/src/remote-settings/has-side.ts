import { useSyncExternalStore } from 'react';

/** As in settings.module.css: below it what stands beside the list stands under it. */
const NARROW = '(max-width: 99.9375em)';

function subscribe(listener: () => void): () => void {
  const list = matchMedia(NARROW);
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
}

/** Whether there is room for something beside the list of settings. */
export const useHasSide = (): boolean => useSyncExternalStore(subscribe, () => !matchMedia(NARROW).matches);
