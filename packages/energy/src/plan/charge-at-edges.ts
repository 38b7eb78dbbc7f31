import { BUCKET_MS } from '../accounting/bucket-span.ts';
import { DEFAULT_GAP_MS } from '../accounting/buckets.ts';
import type { TimeBounds } from '../calendar.ts';

/** States of charge that a battery told, percent, at ascending times. */
export interface ToldCharges {
  readonly timesMs: ArrayLike<number>;
  readonly percent: ArrayLike<number>;
}

/**
 * State of charge at the edges of the buckets of a span, from the beginning of the first to the end of the last; NaN where it is not known. What devices
 * tell lies within the buckets, of one that reports every five minutes up to five minutes off, in which a battery moves by several percent: between two
 * samples that are joined it goes evenly from one to the other. Where nothing follows it is what was told last in the bucket that ends.
 */
export function chargeAtEdges({ timesMs, percent }: ToldCharges, { startMs, endMs }: TimeBounds): Float64Array {
  const edges = new Float64Array(Math.max(0, Math.ceil((endMs - startMs) / BUCKET_MS)) + 1).fill(Number.NaN);
  let next = 0;
  for (let edge = 0; edge < edges.length; edge += 1) {
    const atMs = startMs + edge * BUCKET_MS;
    while (next < timesMs.length && (timesMs[next] as number) < atMs) next += 1;
    const [beforeMs, afterMs] = [timesMs[next - 1], timesMs[next]];
    const [before, after] = [percent[next - 1], percent[next]];
    if (afterMs === atMs) edges[edge] = after as number;
    else if (beforeMs === undefined || before === undefined) continue;
    else if (afterMs !== undefined && after !== undefined && afterMs - beforeMs <= DEFAULT_GAP_MS)
      edges[edge] = before + ((after - before) * (atMs - beforeMs)) / (afterMs - beforeMs);
    else if (atMs - beforeMs <= BUCKET_MS) edges[edge] = before;
  }
  return edges;
}
