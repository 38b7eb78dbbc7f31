/** Failed tries count for this long after the newest. */
export const FAILURE_WINDOW_MS = 15 * 60_000;
/** So many failures cost nothing. */
export const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 5 * 60_000;

/** Milliseconds until the next try is taken: doubled by each failure from the fifth on, never more than five minutes. */
export function waitAfter(failures: number, sinceNewestMs: number): number {
  if (failures < FREE_FAILURES || sinceNewestMs >= FAILURE_WINDOW_MS) return 0;
  const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES));
  return Math.max(0, Math.ceil(delayMs - sinceNewestMs));
}

/** What an address is counted by: a household or a company has one of IPv4, but a whole network of IPv6. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%')[0]?.toLowerCase().split('::') ?? [];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...gap, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
