import { eachWithin } from '../stores/patience.ts';

interface Kept<T> {
  readonly answer: Promise<T>;
  /** Until when it is given out; without end while it is being worked out. */
  untilMs: number;
  /** How long it took to work out; without end while it is. */
  tookMs: number;
}

interface Bounds {
  readonly nowMs: () => number;
  /** Answers that are kept. */
  readonly most?: number;
  /** How long an answer is kept at least. */
  readonly leastMs?: number;
  /** How many times as long as it took to work out. */
  readonly times?: number;
  readonly longestWorkMs?: number;
}

/**
 * Answers that cost much, by name: each is worked out once for all who ask, one after another, and kept the longer the more it has cost,
 * so that all of them together take a bounded share of the stores. What failed is tried again by who asks next.
 */
export function keptAnswers<T>({ nowMs, most = 500, leastMs = 300_000, times = 200, longestWorkMs = 60_000 }: Bounds) {
  const kept = new Map<string, Kept<T>>();
  let last: Promise<unknown> = Promise.resolve();

  const begin = (name: string, work: () => Promise<T>): Kept<T> => {
    const inTurn = last.then(async () => {
      const beganMs = performance.now();
      // Who asked may give up: the answer is for others too.
      const answer = await eachWithin(longestWorkMs, work);
      entry.tookMs = performance.now() - beganMs;
      entry.untilMs = nowMs() + Math.max(leastMs, times * entry.tookMs);
      return answer;
    });
    const entry: Kept<T> = {
      answer: inTurn,
      untilMs: Number.POSITIVE_INFINITY,
      tookMs: Number.POSITIVE_INFINITY,
    };
    last = inTurn.catch(() => {
      if (kept.get(name) === entry) kept.delete(name);
    });
    return entry;
  };

  const ask = (name: string, work: () => Promise<T>): Promise<T> => {
    const known = kept.get(name);
    if (known && nowMs() < known.untilMs) return known.answer;
    kept.delete(name);
    const entry = begin(name, work);
    kept.set(name, entry);
    const oldest = kept.keys().next().value;
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return entry.answer;
  };

  /** Lets go of what is made again at once, so that who may see less or more reads it; what took longer is kept for its time. */
  const forgetCheap = (atMostMs: number): void => {
    for (const [name, { tookMs }] of kept) if (tookMs <= atMostMs) kept.delete(name);
  };

  return Object.assign(ask, { forgetCheap });
}
