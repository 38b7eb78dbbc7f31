/** Time as the hub needs it. */
export interface LiveClock {
  nowMs(): number;
  /** Runs once after a while; the answer calls it off. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock = (nowMs: () => number): LiveClock => ({
  nowMs,
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
});
