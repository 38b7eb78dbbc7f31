import { isGapBefore } from '@sonnenwarte/contract/analysis/gaps';
import type { historyRaw } from '@sonnenwarte/contract/devices/devices';
import type { Result } from '@sonnenwarte/contract/endpoint';

export type History = Result<typeof historyRaw>;

export interface AlignedHistory {
  tsMs: number[];
  series: { variable: string; unit: string; values: (number | null)[] }[];
}

/**
 * Samples of several points on one axis of time. A point that is not in a message keeps no value there; where a point is
 * silent for much longer than is usual around it, the curve is broken, and never drawn across.
 */
export function alignHistory(history: History): AlignedHistory {
  const times = new Set<number>();
  const prepared = history.map(({ variable, unit, data }) => {
    const samples = new Map<number, number | null>();
    const known = data
      .filter((entry): entry is typeof entry & { value: number } => typeof entry.value === 'number')
      .sort((a, b) => a.tsMs - b.tsMs);
    const timesMs = known.map((entry) => entry.tsMs);
    known.forEach((entry, index) => {
      const before = known[index - 1];
      if (before && isGapBefore(timesMs, index)) samples.set(before.tsMs + 1, null);
      samples.set(entry.tsMs, entry.value);
    });
    for (const tsMs of samples.keys()) times.add(tsMs);
    return { variable, unit, samples };
  });
  const tsMs = [...times].sort((a, b) => a - b);
  return {
    tsMs,
    series: prepared.map(({ variable, unit, samples }) => ({ variable, unit, values: carried(tsMs, samples) })),
  };
}

/** Between two samples of a point the moments of other points take its earlier value; breaks stay breaks. */
function carried(tsMs: readonly number[], samples: ReadonlyMap<number, number | null>): (number | null)[] {
  const last = Math.max(...samples.keys());
  let current: number | null = null;
  return tsMs.map((each) => {
    const own = samples.get(each);
    if (own !== undefined) current = own;
    return each > last ? null : current;
  });
}
