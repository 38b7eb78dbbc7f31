import { board } from '@sonnenwarte/contract/burn-in/burn-in';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useChanges } from '../live/use-live.ts';

const NOTHING = '0';

/** Reads all that is shown of runs again when the stream tells that some are others. */
export function useRunNews(): void {
  const cache = useQueryClient();
  const changes = useChanges(['burnIn']);
  const heard = useRef(NOTHING);
  useEffect(() => {
    const before = heard.current;
    heard.current = changes;
    // The first word of a stream is how it is, and that has just been read.
    if (before === NOTHING || before === changes) return;
    void cache.invalidateQueries({ queryKey: [board.feature] });
  }, [cache, changes]);
}
