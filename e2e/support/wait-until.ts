import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  timeoutMs?: number;
  everyMs?: number;
}

/** Asks until there is an answer other than `undefined` or `false`. Throws, naming what was awaited, when the time is over. */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = 60_000, everyMs = 100 }: WaitOptions = {},
): Promise<T> {
  const untilMs = Date.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (Date.now() >= untilMs) {
      throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${what}`, { cause: lastError });
    }
    await delay(everyMs);
  }
}

/** The promise, or an error that names what did not happen in time. */
export async function within<T>(what: string, timeoutMs: number, promise: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${what}`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}
