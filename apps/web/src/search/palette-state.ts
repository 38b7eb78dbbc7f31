import { useEffect } from 'react';
import { createStore, useStore } from '../state/store.ts';
import { noteRecent } from './recent.ts';

const palette = createStore<{ opened: boolean }>({ opened: false });

export const openPalette = (): void => palette.set({ opened: true });
export const closePalette = (): void => palette.set({ opened: false });
export const usePaletteOpened = (): boolean => useStore(palette, ({ opened }) => opened);

const asksForPalette = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;

/** Ctrl+K opens the palette from anywhere in the workspace; what is opened is noted for it from the beginning. */
export function usePaletteKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!asksForPalette(event)) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener('keydown', onKeyDown);
    const stop = noteRecent();
    return () => {
      removeEventListener('keydown', onKeyDown);
      stop();
      closePalette();
    };
  }, []);
}
