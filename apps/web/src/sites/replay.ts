import type { SiteDay } from '@sonnenwarte/contract/sites/site';
import { createStore, type Store, useStore } from '../state/store.ts';

/** The moment that the flow picture shows instead of now. */
export interface Replay {
  readonly day: SiteDay | null;
  /** Place of the moment among the day's buckets; null = now. */
  readonly index: number | null;
  /** Held by a pointer, fixed, or running through the day. */
  readonly how: 'drag' | 'pin' | 'play';
}

export type ReplayStore = Store<Replay>;

export const createReplay = (): ReplayStore => createStore<Replay>({ day: null, index: null, how: 'pin' });

/** Where nothing is replayed. */
const never = createReplay();

export const useReplay = (store: ReplayStore | undefined): Replay => ({
  day: useStore(store ?? never, (replay) => replay.day),
  index: useStore(store ?? never, (replay) => replay.index),
  how: useStore(store ?? never, (replay) => replay.how),
});

/** Start of the bucket that is shown, in epoch milliseconds; null = now. */
export const momentOf = ({ day, index }: Replay): number | null => (index === null ? null : (day?.tsMs[index] ?? null));
