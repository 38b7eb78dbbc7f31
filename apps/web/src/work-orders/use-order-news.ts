import { LEVEL } from '@sonnenwarte/contract/levels';
import { summary } from '@sonnenwarte/contract/work-orders/work-orders';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useChanges } from '../live/use-live.ts';
import { useGlobalState } from '../state/global-state.ts';

/** Everybody hears of everybody's orders: what is shown is read again so often at most. */
const EVERY_MS = 3_000;

const ofCustomers = ['workOrders'];
const ofStaff = ['workOrders', 'workOrderNotes'];

/** Reads all that is shown of work orders again when the stream tells that some are others. */
export function useOrderNews(): void {
  const cache = useQueryClient();
  const isOwner = useGlobalState((state) => state.access === LEVEL.endUser);
  const subjects = isOwner ? ofCustomers : ofStaff;
  const changes = useChanges(subjects);
  const heard = useRef<string>(undefined);
  const readMs = useRef(0);
  useEffect(() => {
    const before = heard.current;
    heard.current = changes;
    // The first words of a stream are how it is, and that has just been read.
    if (before === undefined || before === changes || before.split(' ').includes('0')) return;
    const waitMs = Math.max(0, readMs.current + EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      readMs.current = performance.now();
      void cache.invalidateQueries({ queryKey: [summary.feature] });
    }, waitMs);
    return () => clearTimeout(timer);
  }, [cache, changes]);
}
