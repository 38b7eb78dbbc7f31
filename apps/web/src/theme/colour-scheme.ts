import { readLocal, writeLocal } from '../state/storage.ts';
import { createStore, useStore } from '../state/store.ts';

export const colourSchemes = ['light', 'dark', 'auto'] as const;
/** `auto` follows the system. */
export type ColourScheme = (typeof colourSchemes)[number];

const chosen = createStore<{ scheme: ColourScheme }>({
  scheme: colourSchemes.find((each) => each === readLocal('colorScheme')) ?? 'auto',
});

/** Shows the page in the chosen scheme, before anything is drawn. */
export function showColourScheme(): void {
  document.documentElement.dataset.scheme = chosen.get().scheme;
}

export function setColourScheme(scheme: ColourScheme): void {
  writeLocal('colorScheme', scheme);
  chosen.set({ scheme });
  showColourScheme();
}

export const useColourScheme = (): ColourScheme => useStore(chosen, ({ scheme }) => scheme);
