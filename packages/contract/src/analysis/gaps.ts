/** Samples no further apart than this are always joined. */
export const SHORTEST_GAP_MS = 60_000;
/** Two samples that stand alone are joined as far apart as this: what is usual, none of them says. */
const LONE_GAP_MS = 1_200_000;
/** Steps in a row that say what is usual around one of them. */
export const STEPS_AROUND = 5;
/** How many times longer than what is usual around it a step is no step any more. */
const GAP_STEPS = 4;

/**
 * Whether the step to a sample leaves a gap. It is joined where it is usual: most of some five steps in a row, of which it is one, are at least a quarter
 * as long. So each part of a curve is measured by itself, however densely other parts of it were told. `timesMs` are in their order; at its ends as many
 * steps say what is usual as there are.
 */
export function isGapBefore(timesMs: readonly number[], place: number): boolean {
  const stepMs = (at: number): number => (timesMs[at] ?? 0) - (timesMs[at - 1] ?? 0);
  const ownMs = stepMs(place);
  if (ownMs <= SHORTEST_GAP_MS) return false;
  const steps = timesMs.length - 1;
  if (steps === 1) return ownMs > LONE_GAP_MS;
  const row = Math.min(STEPS_AROUND, steps);
  const last = Math.min(place, steps + 1 - row);
  for (let from = Math.max(1, place + 1 - row); from <= last; from += 1) {
    let alike = 0;
    for (let at = from; at < from + row; at += 1) if (GAP_STEPS * stepMs(at) >= ownMs) alike += 1;
    if (2 * alike > row) return false;
  }
  return true;
}
