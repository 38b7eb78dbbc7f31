import type { SiteDay } from '@sonnenwarte/contract/sites/site';

const MIN_BUCKETS = 6;

/**
 * Change of today's PV energy against yesterday's up to the same time of day, percent. Only buckets that both days hold
 * are compared; `null` where they are too few or yesterday had none.
 */
export function changeSinceYesterday(today: SiteDay, yesterday: SiteDay, nowMs: number): number | null {
  let todayW = 0;
  let yesterdayW = 0;
  let compared = 0;
  today.tsMs.forEach((tsMs, index) => {
    if (tsMs + today.bucketMs > nowMs) return;
    const now = today.pvW[index] ?? null;
    const before = yesterday.pvW[index] ?? null;
    if (now === null || before === null) return;
    todayW += now;
    yesterdayW += before;
    compared += 1;
  });
  return compared < MIN_BUCKETS || yesterdayW < MIN_BUCKETS * 20 ? null : (100 * (todayW - yesterdayW)) / yesterdayW;
}
