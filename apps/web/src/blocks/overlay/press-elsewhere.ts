import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Closes what is open when anything outside of it is pressed. */
export function usePressElsewhere(root: RefObject<HTMLElement | null>, opened: boolean, close: () => void): void {
  const onPointerDown = useEffectEvent((event: PointerEvent) => {
    if (event.target instanceof Node && !root.current?.contains(event.target)) close();
  });
  useEffect(() => {
    if (!opened) return;
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [opened]);
}
