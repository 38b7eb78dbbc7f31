import { type ComponentType, lazy } from 'react';

/** A screen whose code is fetched when it is first shown, or before. */
export type Screen = ComponentType & { readonly preload?: () => Promise<unknown> };

export const lazyScreen = (load: () => Promise<ComponentType>): Screen =>
  Object.assign(
    lazy(async () => ({ default: await load() })),
    { preload: load },
  );
