import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { globalState } from './global-state.ts';
import { loadingBegins, loadingEnds, whileGlobalLoading } from './loading.ts';

describe('loading counter', () => {
  test('never goes below 0, whatever the order of begins and ends', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), (steps) => {
        globalState.set({ loading: 0 });
        let expected = 0;
        for (const begins of steps) {
          (begins ? loadingBegins : loadingEnds)();
          expected = Math.max(0, expected + (begins ? 1 : -1));
          expect(globalState.get().loading).toBe(expected);
        }
      }),
    );
  });

  test('the global-loading flag falls also when the work fails', async () => {
    const work = whileGlobalLoading(async () => {
      expect(globalState.get().globalLoading).toBe(true);
      throw new Error('failed');
    });
    await expect(work).rejects.toThrow('failed');
    expect(globalState.get().globalLoading).toBe(false);
  });
});
