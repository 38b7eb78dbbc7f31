import type { Level } from '@sonnenwarte/contract/levels';
import { type ComponentType, createElement, lazy, useState } from 'react';
import type { Early } from './client/asked-early.ts';
import type { Query } from './router/query.ts';

/** What a screen reads first, by the query of its address and the level of the account. */
type Reads = (query: Query, access: Level | -1) => readonly Early[];

/** A screen whose code is fetched when it is first shown, or before. */
export type Screen = ComponentType & {
  readonly preload?: () => Promise<unknown>;
  /** Asked for beside the code, where the page is loaded on this screen. */
  readonly reads?: Reads;
};

/** A component whose code is fetched when it is first shown, or before: code that is there is shown at once. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> & { readonly preload: () => Promise<unknown> } {
  let loaded: ComponentType<P> | undefined;
  const preload = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Late = lazy(preload);
  // What waits even for a moment shows its fallback first, and React keeps that for 0.3 s.
  const ShownComponent = (props: P) => {
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Late);
    return createElement(Shown, props);
  };
  return Object.assign(ShownComponent, { preload });
}

export const lazyScreen = (load: () => Promise<ComponentType>, reads?: Reads): Screen =>
  Object.assign(lazyComponent(load), reads && { reads });
