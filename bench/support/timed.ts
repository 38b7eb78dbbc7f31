const WARM_UP = 5;

/** Makes calls one after the other, a few more to warm up; answers how long each took, ms. */
export async function timed(count: number, call: (at: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let at = -Math.min(WARM_UP, count); at < count; at += 1) {
    const startedMs = performance.now();
    await call(Math.max(0, at));
    if (at >= 0) times.push(performance.now() - startedMs);
  }
  return times;
}
