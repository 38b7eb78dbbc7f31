const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
const ANSWER_MS = 5_000;

/** Whether the server answers that it is well. */
export async function answers(): Promise<boolean> {
  try {
    const { ok } = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    return ok;
  } catch {
    return false;
  }
}

/** Pauses between the questions: 1, 2, 4 ... s, at most half a minute. */
export const pauseMs = (asked: number): number => Math.min(FIRST_MS * 2 ** asked, LONGEST_MS);

/** Pauses, for less where the browser finds its network again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
  });
}

/** Asks again and again until the server answers. */
export async function untilAnswered(): Promise<void> {
  for (let asked = 0; ; asked += 1) {
    await pause(pauseMs(asked));
    if (await answers()) return;
  }
}
