import { useEffect, useState } from 'react';

/** Whole seconds until a time, counted down on screen; 0 once it has come. */
export function useSecondsLeft(endMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    setNowMs(Date.now());
    const timer = setInterval(() => {
      setNowMs(Date.now());
      if (Date.now() >= endMs) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [endMs]);
  return Math.max(0, Math.ceil((endMs - nowMs) / 1000));
}
