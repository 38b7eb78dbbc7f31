import { heardAtMs, isLost, line, noteHeard, noteLost, noteUnanswered } from '../client/line.ts';
import { queryClient } from '../client/queries.ts';
import { createStore, type Store, useStore } from '../state/store.ts';
import { liveState, reviveLive } from './live-state.ts';

/** A stream that is opened anew for other subjects is back before this. */
const GRACE_MS = 800;
/** One that is opened first may take its time. */
const FIRST_MS = 5_000;

interface BrokenLine {
  /** Time of the newest sign of the server; null while all that is shown is kept fresh. */
  sinceMs: number | null;
}

/** Whether what is shown may be older than it says, on all screens alike: the server does not answer, or the stream is down. */
export const brokenLine: Store<BrokenLine> = createStore<BrokenLine>({ sinceMs: null });

let timer: ReturnType<typeof setTimeout> | undefined;
let graceMs = FIRST_MS;

const isStreamDown = (): boolean => {
  const { watching, connected } = liveState.get();
  return watching && !connected;
};

/** All that is shown is asked for again, together: no part of a screen is of another time than the rest. */
function heal(): void {
  if (brokenLine.get().sinceMs === null) return;
  brokenLine.set({ sinceMs: null });
  void queryClient.invalidateQueries();
}

function look(): void {
  const { lostSinceMs } = line.get();
  if (lostSinceMs !== null) {
    clearTimeout(timer);
    timer = undefined;
    if ((brokenLine.get().sinceMs ?? Number.POSITIVE_INFINITY) > lostSinceMs) brokenLine.set({ sinceMs: lostSinceMs });
    return;
  }
  if (!isStreamDown()) {
    clearTimeout(timer);
    timer = undefined;
    heal();
    return;
  }
  if (brokenLine.get().sinceMs !== null || timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    if (isLost() || !isStreamDown()) return look();
    brokenLine.set({ sinceMs: heardAtMs() });
    void noteUnanswered();
  }, graceMs);
}

let eventAtMs: number | null = null;
liveState.subscribe(() => {
  const { watching, connected, lastEventAtMs } = liveState.get();
  if (!watching) graceMs = FIRST_MS;
  else if (connected) graceMs = GRACE_MS;
  if (connected && lastEventAtMs !== eventAtMs) noteHeard();
  eventAtMs = lastEventAtMs;
  look();
});
addEventListener('offline', noteLost);
let wasLost = isLost();
line.subscribe(() => {
  // The server is back: the stream need not wait for its turn.
  if (wasLost && !isLost()) reviveLive();
  wasLost = isLost();
  look();
});

/** When the server was last heard, while what is shown may be older than it says. */
export const useBrokenSince = (): number | null => useStore(brokenLine, ({ sinceMs }) => sinceMs);

export const useLineBroken = (): boolean => useBrokenSince() !== null;
