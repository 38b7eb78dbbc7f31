import type { Finding } from '@sonnenwarte/contract/data-repair/data-repair';
import { BUCKET_MS, bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import type { LedgerEvent } from '@sonnenwarte/energy/accounting/buckets';
import type { CounterReading } from '@sonnenwarte/energy/accounting/counters';
import type { ByBucket } from './told-energy.ts';

interface Span {
  fromMs: number;
  toMs: number;
}

/** A gap in which less was counted is the night of an inverter that slept. */
const LEAST_GAP_WH = 100;
const MOST_FINDINGS = 100;
const MOST_SLOTS = 480;

/** Energy and readings are told to a thousandth. */
export const told = (wh: number): number => Math.round(wh * 1_000) / 1_000;

/** What was unusual in a counter, the oldest first: readings that were held back and what became of them are one. */
export function findingsOf(
  events: readonly LedgerEvent[],
  readings: readonly CounterReading[],
  energies: ByBucket,
  span: Span,
): Finding[] {
  const runs: { kind: Finding['kind']; fromMs: number; toMs: number }[] = [];
  for (const { event, fromMs, tsMs: toMs, energyWh } of events) {
    if (toMs < span.fromMs || toMs > span.toMs) continue;
    if (event === 'gap') {
      if (energyWh >= LEAST_GAP_WH) runs.push({ kind: 'gap', fromMs, toMs });
      continue;
    }
    const kind = event === 'implausible' ? 'outlier' : event;
    const last = runs.at(-1);
    if (last?.kind === 'outlier' && fromMs <= last.toMs) {
      last.kind = kind;
      last.toMs = Math.max(last.toMs, toMs);
    } else runs.push({ kind, fromMs, toMs });
  }
  return runs.slice(-MOST_FINDINGS).map(({ kind, fromMs, toMs }) => ({
    kind,
    fromMs,
    toMs,
    beforeWh: readings.findLast(({ tsMs }) => tsMs <= fromMs)?.wh ?? null,
    afterWh: readings.find(({ tsMs }) => tsMs >= toMs)?.wh ?? null,
    energyWh: energyWithin(energies, { fromMs: bucketStart(fromMs), toMs }),
  }));
}

export function energyWithin(energies: ByBucket, { fromMs, toMs }: Span): number | null {
  let wh: number | null = null;
  for (const [atMs, partWh] of energies) if (atMs >= fromMs && atMs < toMs) wh = (wh ?? 0) + partWh;
  return wh === null ? null : told(wh);
}

/**
 * A counter as it is joined, beside its readings: one point of each slot, and one more where a reading stands off the others of its slot. The joined counter
 * begins where the first reading stands.
 */
export function pointsOf(
  readings: readonly CounterReading[],
  energies: ByBucket,
  { fromMs, toMs }: Span,
): [number, number | null, number | null][] {
  const slotMs = Math.max(1, Math.ceil((toMs - fromMs) / MOST_SLOTS / BUCKET_MS)) * BUCKET_MS;
  const points: [number, number | null, number | null][] = [];
  let joinedWh = readings.find(({ tsMs }) => tsMs >= fromMs)?.wh ?? 0;
  let at = readings.findIndex(({ tsMs }) => tsMs >= fromMs);
  if (at < 0) at = readings.length;
  let hasBegun = false;
  for (let slot = fromMs; slot < toMs; slot += slotMs) {
    const endMs = Math.min(toMs, slot + slotMs);
    const within: CounterReading[] = [];
    for (; at < readings.length && (readings[at] as CounterReading).tsMs < endMs; at += 1)
      within.push(readings[at] as CounterReading);
    let gainedWh: number | undefined;
    for (let bucketMs = slot; bucketMs < endMs; bucketMs += BUCKET_MS) {
      const wh = energies.get(bucketMs);
      if (wh !== undefined) gainedWh = (gainedWh ?? 0) + wh;
    }
    const last = within.at(-1);
    if (last === undefined && gainedWh === undefined) {
      if (hasBegun) points.push([endMs, null, null]);
      hasBegun = false;
      continue;
    }
    if (!hasBegun) points.push([slot, within[0]?.wh ?? null, told(joinedWh)]);
    hasBegun = true;
    const beforeWh = joinedWh;
    joinedWh += gainedWh ?? 0;
    if (last !== undefined) {
      const odd = within.reduce((most, each) =>
        Math.abs(each.wh - last.wh) > Math.abs(most.wh - last.wh) ? each : most,
      );
      if (Math.abs(odd.wh - last.wh) > (gainedWh ?? 0) + LEAST_GAP_WH)
        points.push([odd.tsMs, told(odd.wh), told(beforeWh)]);
    }
    points.push([endMs, last === undefined ? null : told(last.wh), told(joinedWh)]);
  }
  return points;
}
