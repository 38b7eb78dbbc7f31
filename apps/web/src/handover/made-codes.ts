import type { HandoverNow } from '@sonnenwarte/contract/handover/handover';
import { onSessionEnd } from '../state/session.ts';
import { createStore, useStore } from '../state/store.ts';

interface MadeCode {
  readonly code: string;
  readonly madeMs: number;
}

/** Codes made in this window, by plant: the server tells each only once. */
const made = createStore<{ codes: Readonly<Record<string, MadeCode>> }>({ codes: {} });
onSessionEnd(() => made.set({ codes: {} }));

export const keepCode = (stationID: string, code: string, { madeMs }: HandoverNow): void =>
  made.set(({ codes }) => ({ codes: { ...codes, [stationID]: { code, madeMs } } }));

/** The code of a plant's handover, where it was made here. */
export const useMadeCode = (stationID: string, now: HandoverNow | null | undefined): string | undefined =>
  useStore(made, ({ codes }) => {
    const known = codes[stationID];
    return known !== undefined && known.madeMs === now?.madeMs ? known.code : undefined;
  });
