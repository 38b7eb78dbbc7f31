let offsetMs = 0;

/** The server's time as far as known, in whole ms since 1970 UTC: the browser's clock corrected by the newest answer. */
export const serverNowMs = (): number => Date.now() + offsetMs;

/**
 * Learns the server's time from an answer. The server stamped it somewhere between sending and receiving; the middle
 * is taken.
 */
export function learnServerTime(header: string | null, sentAtMs: number, receivedAtMs: number): void {
  const serverMs = header === null ? Number.NaN : Number(header);
  if (!Number.isFinite(serverMs) || serverMs <= 0) return;
  offsetMs = Math.round(serverMs - (sentAtMs + receivedAtMs) / 2);
}
