import { type RefObject, useEffect, useRef } from 'react';
import { useIsPhone } from '../show/use-is-phone.ts';

/** On a phone a sheet closes when it is dragged down; the code for that comes once one is open. */
export function useSwipeDown(sheet: RefObject<HTMLElement | null>, opened: boolean, onClose: () => void): void {
  const isPhone = useIsPhone();
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const element = sheet.current;
    if (!opened || !isPhone || element === null) return;
    let end: (() => void) | undefined;
    let isGone = false;
    import('./swipe-down.ts').then(
      ({ closeBySwipe }) => {
        if (!isGone) end = closeBySwipe(element, () => close.current());
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      end?.();
    };
  }, [opened, isPhone, sheet]);
}
