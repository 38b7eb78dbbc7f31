import type { Level } from '@sonnenwarte/contract/levels';
import { type ComponentType, lazy } from 'react';
import type { Early } from './client/asked-early.ts';
import type { Query } from './router/search.ts';

/** What a screen reads first, by the query of its address and the level of the account. */
type Reads = (query: Query, access: Level | -1) => readonly Early[];

/** A screen whose code is fetched when it is first shown, or before. */
export type Screen = ComponentType & {
  readonly preload?: () => Promise<unknown>;
  /** Asked for beside the code, where the page is loaded on this screen. */
  readonly reads?: Reads;
};

export const lazyScreen = (load: () => Promise<ComponentType>, reads?: Reads): Screen =>
  Object.assign(
    lazy(async () => ({ default: await load() })),
    { preload: load, ...(reads && { reads }) },
  );
