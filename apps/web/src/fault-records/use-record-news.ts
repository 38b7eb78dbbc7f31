import { detail } from '@sonnenwarte/contract/fault-records/fault-records';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useChanges } from '../live/use-live.ts';

/** Everybody hears of everybody's records: what is shown is read again so often at most. */
const EVERY_MS = 2_000;
const NOTHING = '0';

/** Reads all that is shown of fault records again when the stream tells that some are others. */
export function useRecordNews(): void {
  const cache = useQueryClient();
  const changes = useChanges(['faultRecords']);
  const heard = useRef(NOTHING);
  const readMs = useRef(0);
  useEffect(() => {
    const before = heard.current;
    heard.current = changes;
    // The first word of a stream is how it is, and that has just been read.
    if (before === NOTHING || before === changes) return;
    const waitMs = Math.max(0, readMs.current + EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      readMs.current = performance.now();
      void cache.invalidateQueries({ queryKey: [detail.feature] });
    }, waitMs);
    return () => clearTimeout(timer);
  }, [cache, changes]);
}
