export const BUCKET_MS = 300_000;

/** Start of the 5-minute bucket that holds a time; UTC, which all IANA offsets of today divide evenly. */
export function bucketStart(tsMs: number): number {
  return Math.floor(tsMs / BUCKET_MS) * BUCKET_MS;
}

/**
 * Distributes an energy over the 5-minute buckets of (fromMs, toMs] in proportion to time. The shares are never of opposite
 * sign to the whole and add up to it (the last takes the rest). An empty or reversed span gives all to the bucket of `toMs`.
 *
 * @param visit called once for each bucket, in ascending order.
 */
export function forEachShare(
  fromMs: number,
  toMs: number,
  energyWh: number,
  visit: (bucketMs: number, energyWh: number) => void,
): void {
  const spanMs = toMs - fromMs;
  if (!(spanMs > 0)) {
    visit(bucketStart(toMs), energyWh);
    return;
  }
  let restWh = energyWh;
  let bucketMs = bucketStart(fromMs);
  while (bucketMs + BUCKET_MS < toMs) {
    const shareWh = (energyWh * (bucketMs + BUCKET_MS - Math.max(bucketMs, fromMs))) / spanMs;
    visit(bucketMs, shareWh);
    restWh -= shareWh;
    bucketMs += BUCKET_MS;
  }
  visit(bucketMs, energyWh >= 0 ? Math.max(0, restWh) : Math.min(0, restWh));
}
