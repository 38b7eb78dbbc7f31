import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

interface KeptFocus<E extends HTMLElement> {
  ref: RefObject<E | null>;
  /** It takes the focus by itself only where what had it is gone. */
  tabIndex: -1;
  onFocus: () => void;
  onBlur: (event: FocusEvent) => void;
}

/** Keeps the focus of the keyboard where it was once the button that had it has given way to something else. */
export function useKeptFocus<E extends HTMLElement>(changes: string): KeptFocus<E> {
  const ref = useRef<E>(null);
  const had = useRef(false);
  const before = useRef(changes);
  useEffect(() => {
    if (before.current === changes) return;
    before.current = changes;
    if (had.current && document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
  }, [changes]);
  return {
    ref,
    tabIndex: -1,
    onFocus: () => {
      had.current = true;
    },
    onBlur: ({ relatedTarget }) => {
      // Without a next one it was disabled or taken away, or the window was left.
      if (relatedTarget !== null) had.current = false;
    },
  };
}
