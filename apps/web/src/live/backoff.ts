const FIRST_MS = 1_000;
const MAX_MS = 30_000;

/** Wait before the next try: doubling up to half a minute, spread over its upper half so that clients do not come at once. */
export function backoffMs(failures: number, random: number): number {
  const ceilingMs = Math.min(MAX_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return ceilingMs / 2 + (ceilingMs / 2) * random;
}
