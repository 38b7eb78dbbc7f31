import { useSyncExternalStore } from 'react';
import { serverNowMs } from '../client/clock.ts';

interface Ticker {
  subscribe: (listener: () => void) => () => void;
  nowMs: () => number;
}

const tickers = new Map<number, Ticker>();

function createTicker(stepMs: number): Ticker {
  const listeners = new Set<() => void>();
  let nowMs = serverNowMs();
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    nowMs: () => nowMs,
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) nowMs = serverNowMs();
      timer ??= setInterval(() => {
        nowMs = serverNowMs();
        for (const tell of listeners) tell();
      }, stepMs);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

function tickerOf(stepMs: number): Ticker {
  const known = tickers.get(stepMs);
  if (known) return known;
  const created = createTicker(stepMs);
  tickers.set(stepMs, created);
  return created;
}

/** The server's time in epoch milliseconds, moving in steps; all users of a step share one timer. */
export function useNow(stepMs: number): number {
  const ticker = tickerOf(stepMs);
  return useSyncExternalStore(ticker.subscribe, ticker.nowMs);
}
