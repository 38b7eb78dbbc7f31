import { BUCKET_MS, bucketStart } from './bucket-span.ts';

/** A power that gives less in the whole time is zero. */
const LEAST_WH = 1e-3;

/** What the power of a channel gave in a bucket, as far as it lies within the span, and for how long it was told there. */
export interface BucketFlow {
  bucketMs: number;
  wh: number;
  coveredMs: number;
}

export interface PowerSpan {
  fromMs: number;
  toMs: number;
  energyWh: number;
  /** A power that is missing for less in all is taken as told throughout. */
  leastGapMs: number;
}

/**
 * Distributes what a silent counter gained over the buckets of (fromMs, toMs]: in proportion to what its power gave, where
 * that is known. Where it is not for some of the time, the rest of the energy is spread there evenly. If nothing is known,
 * or the power was zero throughout, all is spread evenly. The shares are never negative and add up to the whole.
 *
 * @param flows known buckets, ascending; those outside the span are left alone.
 */
export function forEachPowerShare(
  { fromMs, toMs, energyWh, leastGapMs }: PowerSpan,
  flows: readonly BucketFlow[],
  visit: (bucketMs: number, energyWh: number) => void,
): void {
  const shares: { bucketMs: number; spanMs: number; wh: number; bareMs: number }[] = [];
  let at = 0;
  let powerWh = 0;
  let bareMs = 0;
  for (let bucketMs = bucketStart(fromMs); bucketMs < toMs; bucketMs += BUCKET_MS) {
    while (at < flows.length && (flows[at] as BucketFlow).bucketMs < bucketMs) at += 1;
    const flow = flows[at]?.bucketMs === bucketMs ? flows[at] : undefined;
    const spanMs = Math.min(bucketMs + BUCKET_MS, toMs) - Math.max(bucketMs, fromMs);
    const wh = Math.max(0, flow?.wh ?? 0);
    const share = { bucketMs, spanMs, wh, bareMs: Math.max(0, spanMs - (flow?.coveredMs ?? 0)) };
    powerWh += wh;
    bareMs += share.bareMs;
    shares.push(share);
  }
  if (powerWh < LEAST_WH) powerWh = 0;
  const restWh = bareMs > leastGapMs ? Math.max(0, energyWh - powerWh) : 0;
  const scale = powerWh > 0 ? (energyWh - restWh) / powerWh : 0;
  for (const share of shares) {
    const evenWh = powerWh + restWh > 0 ? 0 : (energyWh * share.spanMs) / (toMs - fromMs);
    const bareWh = restWh > 0 ? (restWh * share.bareMs) / bareMs : 0;
    visit(share.bucketMs, share.wh * scale + bareWh + evenWh);
  }
}
