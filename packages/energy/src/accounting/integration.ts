/** Last power of a channel without a counter. JSON-serialisable. */
export interface IntegrationState {
  lastTsMs: number;
  lastPowerW: number;
}

/** Energy under the straight line between two samples, split at its zero crossing; both parts >= 0, Wh. */
export interface IntegrationStep {
  fromMs: number;
  toMs: number;
  positiveWh: number;
  negativeWh: number;
}

export interface IntegrationOptions {
  /** Samples further apart are not joined. */
  gapMs: number;
}

const HOUR_MS = 3_600_000;

/** Part above zero, Wh, under the straight line from `fromW` to `toW` over a time. */
export function positiveTrapezoidWh(fromW: number, toW: number, durationMs: number): number {
  const hours = durationMs / HOUR_MS;
  if (fromW >= 0 && toW >= 0) return ((fromW + toW) / 2) * hours;
  if (fromW <= 0 && toW <= 0) return 0;
  const peakW = Math.max(fromW, toW);
  return ((peakW * peakW) / (2 * Math.abs(toW - fromW))) * hours;
}

/**
 * Integrates power by the trapezoid rule; always of quality `estimated`. The first sample, one after a gap and one that is
 * not later than the last give no step; the last of these leaves the state as it is. Non-finite powers are ignored.
 */
export function integrateStep(
  state: IntegrationState | undefined,
  tsMs: number,
  powerW: number,
  options: IntegrationOptions,
): { state: IntegrationState | undefined; step?: IntegrationStep } {
  if (!Number.isFinite(powerW)) return { state };
  const next: IntegrationState = { lastTsMs: tsMs, lastPowerW: powerW };
  if (state === undefined) return { state: next };
  const durationMs = tsMs - state.lastTsMs;
  if (durationMs <= 0) return { state };
  if (durationMs > options.gapMs) return { state: next };
  return {
    state: next,
    step: {
      fromMs: state.lastTsMs,
      toMs: tsMs,
      positiveWh: positiveTrapezoidWh(state.lastPowerW, powerW, durationMs),
      negativeWh: positiveTrapezoidWh(-state.lastPowerW, -powerW, durationMs),
    },
  };
}
