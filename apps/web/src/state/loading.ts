import { globalState } from './global-state.ts';

export const loadingBegins = (): void => globalState.set(({ loading }) => ({ loading: loading + 1 }));

export const loadingEnds = (): void => globalState.set(({ loading }) => ({ loading: Math.max(0, loading - 1) }));

/** Holds the global-loading flag while the work runs. */
export async function whileGlobalLoading<T>(work: () => Promise<T>): Promise<T> {
  globalState.set({ globalLoading: true });
  try {
    return await work();
  } finally {
    globalState.set({ globalLoading: false });
  }
}
