/** A power as it was told, in millionths of a watt; + is what the channel counts. */
export interface PowerReading {
  readonly tsMs: number;
  readonly microW: bigint;
}

const GAP_MS = 20 * 60_000;
export const BUCKET_MS = 300_000;

export const bucketOf = (tsMs: number): number => tsMs - (tsMs % BUCKET_MS);

/** Adds to what stands under a key. */
export function addTo<K>(sums: Map<K, bigint>, key: K, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

/** What the part above nought of a straight line gives, billionths of a watt-hour: areas are twice too large and in microwatt milliseconds. */
function aboveNought(from: bigint, to: bigint, durationMs: bigint): bigint {
  const toNano = (doubledArea: bigint): bigint => (doubledArea * 5n) / 36_000n;
  if (from >= 0n && to >= 0n) return toNano((from + to) * durationMs);
  if (from <= 0n && to <= 0n) return 0n;
  const peak = from > to ? from : to;
  const height = from > to ? from - to : to - from;
  return toNano((peak * peak * durationMs) / height);
}

/** A stretch within one bucket, and what the power gave in it. */
export interface PowerPiece {
  readonly fromMs: number;
  readonly toMs: number;
  readonly nanoWh: bigint;
}

/** The trapezoids between readings no more than twenty minutes apart, cut at the edges of buckets and at a time besides. */
export function powerPieces(readings: readonly PowerReading[], spanFromMs: number, spanToMs: number): PowerPiece[] {
  const pieces: PowerPiece[] = [];
  readings.forEach((to, index) => {
    const from = readings[index - 1];
    if (from === undefined || to.tsMs - from.tsMs > GAP_MS) return;
    const endMs = Math.min(to.tsMs, spanToMs);
    let atMs = Math.max(from.tsMs, spanFromMs);
    const powerAt = (tsMs: number): bigint =>
      from.microW + ((to.microW - from.microW) * BigInt(tsMs - from.tsMs)) / BigInt(to.tsMs - from.tsMs);
    while (atMs < endMs) {
      const nextMs = Math.min(bucketOf(atMs) + BUCKET_MS, endMs);
      const nanoWh = aboveNought(powerAt(atMs), powerAt(nextMs), BigInt(nextMs - atMs));
      pieces.push({ fromMs: atMs, toMs: nextMs, nanoWh });
      atMs = nextMs;
    }
  });
  return pieces;
}

/** What a power gave at least and at most in a time, by the readings at both ends of each stretch; undefined where some of it was not told. */
export function powerBounds(
  readings: readonly PowerReading[],
  fromMs: number,
  toMs: number,
): readonly [least: bigint, most: bigint] | undefined {
  let [low, high] = [0, readings.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((readings[middle]?.tsMs ?? 0) >= fromMs) high = middle;
    else low = middle + 1;
  }
  let [least, most, toldMs] = [0n, 0n, 0];
  for (let at = low + 1; at < readings.length; at += 1) {
    const [from, to] = [readings[at - 1] as PowerReading, readings[at] as PowerReading];
    if (to.tsMs > toMs) break;
    if (to.tsMs - from.tsMs > GAP_MS) continue;
    const [lower, higher] = from.microW < to.microW ? [from.microW, to.microW] : [to.microW, from.microW];
    const toNano = (microW: bigint): bigint => (microW * BigInt(to.tsMs - from.tsMs)) / 3_600n;
    toldMs += to.tsMs - from.tsMs;
    least += lower > 0n ? toNano(lower) : 0n;
    most += higher > 0n ? toNano(higher) : 0n;
  }
  return toldMs < toMs - fromMs ? undefined : [least, most];
}

/** Gives an energy to the buckets of (fromMs, toMs] in proportion to time; nothing is lost in rounding. */
export function spreadEvenly(sums: Map<number, bigint>, fromMs: number, toMs: number, nanoWh: bigint): void {
  let given = 0n;
  for (let atMs = fromMs; atMs < toMs; ) {
    const nextMs = Math.min(bucketOf(atMs) + BUCKET_MS, toMs);
    const upTo = (nanoWh * BigInt(nextMs - fromMs)) / BigInt(toMs - fromMs);
    addTo(sums, bucketOf(atMs), upTo - given);
    given = upTo;
    atMs = nextMs;
  }
}
