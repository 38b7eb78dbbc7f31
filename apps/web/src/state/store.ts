import { useSyncExternalStore } from 'react';

export interface Store<T extends object> {
  get(): T;
  set(change: Partial<T> | ((current: T) => Partial<T>)): void;
  subscribe(listener: () => void): () => void;
}

/** A value with listeners; listeners are told only when a field has changed. */
export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(change) {
      const next = { ...value, ...(typeof change === 'function' ? change(value) : change) };
      const changed = (Object.keys(next) as (keyof T)[]).some((key) => !Object.is(next[key], value[key]));
      if (!changed) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Renders anew when the selected part changes; the selector returns a part of the state, never a new object. */
export function useStore<T extends object, S>(store: Store<T>, select: (state: T) => S): S {
  const selected = () => select(store.get());
  return useSyncExternalStore(store.subscribe, selected, selected);
}
