import { useSyncExternalStore } from 'react';

const narrow = '(max-width: 48em)';

function subscribe(listener: () => void): () => void {
  const query = matchMedia(narrow);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether the window is as narrow as a phone (768 px and less). */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(narrow).matches);
