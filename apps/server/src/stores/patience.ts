import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';

/** How long calls wait for a store that does not answer: `callMs` for all of a call, `statementMs` for each statement. */
export interface Patience {
  readonly read: { readonly callMs: number };
  readonly write: { readonly statementMs: number };
  readonly file: { readonly statementMs: number };
  readonly stream: { readonly statementMs: number };
}

export const usualPatience: Patience = {
  read: { callMs: 10_000 },
  write: { statementMs: 20_000 },
  file: { statementMs: 60_000 },
  stream: { statementMs: 10_000 },
};

/** Of what no call waits for. */
const BACKGROUND_STATEMENT_MS = 120_000;
/** What a call began before it was given up is not continued for this long; later it counts as nobody's. */
const GIVEN_UP_FOR_MS = 60_000;

/** A store did not answer in time; the same call may succeed later. */
export class StoreAwayError extends Error {
  override name = 'StoreAwayError';
}

interface Waiting {
  readonly statementMs: number | undefined;
  readonly endsAtMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  isOver: boolean;
  gaveUpMs: number | undefined;
}

const current = new AsyncLocalStorage<Waiting>();

const storeAway = () => new StoreAwayError('a store did not answer in time');

/** Does the work, each statement of which may take so long. */
export const eachWithin = <T>(statementMs: number, work: () => Promise<T>): Promise<T> =>
  current.run({ statementMs, endsAtMs: undefined, signal: undefined, isOver: false, gaveUpMs: undefined }, work);

/** Does the work and gives it up after the time: its statements are broken off, the answer is a StoreAwayError. */
export async function allWithin<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const waiting: Waiting = {
    statementMs: undefined,
    endsAtMs: performance.now() + limitMs,
    signal: controller.signal,
    isOver: false,
    gaveUpMs: undefined,
  };
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      waiting.gaveUpMs = performance.now();
      reject(storeAway());
      controller.abort();
    }, limitMs);
  });
  try {
    return await Promise.race([current.run(waiting, work), tooLate]);
  } finally {
    clearTimeout(timer);
    waiting.isOver = true;
  }
}

/** How long a statement that begins now may take. Throws where the call that it belongs to was given up. */
export function statementMs(): number {
  const waiting = current.getStore();
  if (waiting === undefined) return BACKGROUND_STATEMENT_MS;
  const nowMs = performance.now();
  if (waiting.gaveUpMs !== undefined && nowMs - waiting.gaveUpMs < GIVEN_UP_FOR_MS) throw storeAway();
  if (waiting.statementMs !== undefined) return waiting.statementMs;
  if (waiting.isOver || waiting.endsAtMs === undefined) return BACKGROUND_STATEMENT_MS;
  return Math.max(1, waiting.endsAtMs - nowMs);
}

/** Aborted when a statement that begins now has taken too long; undefined where no call waits for it. */
export function statementSignal(): AbortSignal | undefined {
  const waiting = current.getStore();
  if (waiting === undefined) return undefined;
  const ms = statementMs();
  if (waiting.statementMs !== undefined) return AbortSignal.timeout(ms);
  return waiting.isOver ? undefined : waiting.signal;
}

/** The answer, or a StoreAwayError after the time of the statement; `giveUp` then breaks it off. */
export async function patiently<T>(answer: Promise<T>, limitMs: number, giveUp: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(storeAway());
      giveUp();
    }, limitMs);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
