let offsetMs = 0;

/** The server's time as far as known: the browser's clock corrected by the newest answer. */
export const serverNowMs = (): number => Date.now() + offsetMs;

/**
 * Learns the server's time from an answer. The server stamped it somewhere between sending and receiving; the middle
 * is taken.
 */
export function learnServerTime(header: string | null, sentAtMs: number, receivedAtMs: number): void {
  const serverMs = header === null ? Number.NaN : Number(header);
  if (!Number.isFinite(serverMs) || serverMs <= 0) return;
  offsetMs = serverMs - (sentAtMs + receivedAtMs) / 2;
}
