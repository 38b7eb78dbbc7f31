const SUM_MS = 5 * 60_000;
const WRITTEN_MS = 20_000;

/** How long until the sums of the five minutes that run now stand: all that tells of them is read again then, and tells the same. */
export const untilNextSumsMs = (): number => SUM_MS - (Date.now() % SUM_MS) + WRITTEN_MS;
