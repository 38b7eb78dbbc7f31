import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLiveState } from './use-live.ts';

/** A stream that is opened anew for other subjects is back before this; one that is not is broken. */
const GRACE_MS = 800;
/** Features whose answers the stream keeps fresh. */
const live = ['sites', 'fleet', 'devices'] as const;

/** Whether the live stream is down. When it is back, what it does not carry is read again. */
export function useStreamBroken(): boolean {
  const { connected } = useLiveState();
  const cache = useQueryClient();
  const [broken, setBroken] = useState(false);
  const wasBroken = useRef(false);
  useEffect(() => {
    if (connected) {
      setBroken(false);
      if (wasBroken.current) for (const feature of live) void cache.invalidateQueries({ queryKey: [feature] });
      wasBroken.current = false;
      return;
    }
    const timer = setTimeout(() => {
      wasBroken.current = true;
      setBroken(true);
    }, GRACE_MS);
    return () => clearTimeout(timer);
  }, [connected, cache]);
  return broken;
}
