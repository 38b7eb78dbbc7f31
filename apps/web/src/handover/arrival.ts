import { seen } from '@sonnenwarte/contract/handover/handover';
import { useEffect } from 'react';
import { write } from '../client/queries.ts';

/** A plant is about to come: whoever handed it over waits to hear that it is seen. */
let isExpected = false;

export const expectPlant = (): void => {
  isExpected = true;
};

/** Tells who handed a plant over that it is on the screen, once. */
export function useTellSeen(stationID: string): void {
  useEffect(() => {
    if (!isExpected) return;
    isExpected = false;
    // Nothing hangs on it but a line on the other screen.
    write(seen, { stationID }, { quiet: true }).catch(() => undefined);
  }, [stationID]);
}
