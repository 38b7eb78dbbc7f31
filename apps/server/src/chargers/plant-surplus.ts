import type { PlantPowers } from './charge-points.store.ts';
import type { Surplus } from './charging-control.ts';

/** Values are too old to say what is left over now. */
export const OLDEST_VALUES_MS = 75_000;
/** What a vehicle takes to follow what it is offered; between, nobody knows what it draws. */
const FOLLOW_MS = 5_000;
/** Beside the time between two values: until they are stored and told, and the vehicle has followed. */
const ON_THE_WAY_MS = 6_000;
const SHORTEST_STEP_MS = 5_000;
const MOST_STEPS = 6;

/** How far apart the values of a plant come, by those that have come. */
export class ValueSteps {
  readonly #times: number[] = [];

  note(tsMs: number): void {
    if (tsMs <= (this.#times.at(-1) ?? 0)) return;
    this.#times.push(tsMs);
    if (this.#times.length > MOST_STEPS) this.#times.shift();
  }

  /** From a change at the plant until the vehicle has followed it, at the longest. */
  get reactionMs(): number {
    const steps = this.#times.slice(1).map((tsMs, place) => tsMs - (this.#times[place] ?? tsMs));
    const longestMs = steps.length === 0 ? OLDEST_VALUES_MS : Math.max(SHORTEST_STEP_MS, ...steps);
    return longestMs + ON_THE_WAY_MS;
  }
}

/** A change of what a pile was offered. */
export interface OfferChange {
  readonly atMs: number;
  readonly fromW: number;
  readonly toW: number;
}

/**
 * What a plant has left for one pile. The battery comes first: what charges it is not left over, what it gives is no sun. Undefined
 * where values are missing, too old, or of a moment at which the vehicle was just following another offer.
 */
export function surplusOf(
  powers: PlantPowers | undefined,
  pile: { readonly powerW: number; readonly readMs: number },
  change: OfferChange | undefined,
  nowMs: number,
): Surplus | 'settling' | undefined {
  if (powers === undefined || powers.ts === null || powers.gridW === null) return undefined;
  const tsMs = powers.ts.getTime();
  if (nowMs - tsMs > OLDEST_VALUES_MS) return undefined;
  const drawnW = drawnAt(tsMs, pile, change);
  if (drawnW === undefined) return 'settling';
  return {
    tsMs,
    freeW: drawnW - powers.gridW - Math.max(0, powers.batteryW ?? 0),
    boughtW: Math.max(0, powers.gridW),
    drawnW,
  };
}

/** What the pile drew at a time at which the plant was measured; undefined while the vehicle follows an offer. */
function drawnAt(
  tsMs: number,
  { powerW, readMs }: { readonly powerW: number; readonly readMs: number },
  change: OfferChange | undefined,
): number | undefined {
  if (change === undefined) return powerW;
  const settledMs = change.atMs + FOLLOW_MS;
  const isSettling = (atMs: number): boolean => atMs >= change.atMs && atMs < settledMs;
  if (isSettling(tsMs)) return undefined;
  const isAfter = tsMs >= settledMs;
  // A pile that was told to rest need not tell that it does.
  if (isAfter && change.toW === 0) return 0;
  if (isSettling(readMs)) return undefined;
  const isReadAfter = readMs >= settledMs;
  if (isAfter === isReadAfter) return powerW;
  // The plant was measured on one side of the change, the pile on the other: it follows offers in proportion.
  const [was, will] = isAfter ? [change.fromW, change.toW] : [change.toW, change.fromW];
  return was > 0 ? (powerW * will) / was : undefined;
}
