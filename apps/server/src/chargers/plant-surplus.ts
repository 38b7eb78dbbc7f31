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
/** A vehicle that draws less of its offer wants no more. */
const FOLLOWED_SHARE = 0.85;

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

/** What a pile told last of what it draws, and the last change of what it was offered. */
export interface PileDraw {
  readonly powerW: number;
  readonly readMs: number;
  readonly change: OfferChange | undefined;
}

/** Another pile of the plant that charges by sun. */
export interface Rival extends PileDraw {
  /** It is served before the other. */
  readonly comesFirst: boolean;
  readonly offeredW: number;
  readonly leastW: number;
  readonly mostW: number;
}

/**
 * What a plant has left for one pile. The battery comes first: what charges it is not left over, what it gives is no sun. Then the piles
 * that are served before it, with all they can take. Undefined where values are missing, too old, or of a moment at which a vehicle was
 * just following another offer.
 */
export function surplusOf(
  powers: PlantPowers | undefined,
  pile: PileDraw,
  rivals: readonly Rival[],
  nowMs: number,
): Surplus | 'settling' | undefined {
  if (powers === undefined || powers.ts === null || powers.gridW === null) return undefined;
  const tsMs = powers.ts.getTime();
  if (nowMs - tsMs > OLDEST_VALUES_MS) return undefined;
  const drawnW = drawnAt(tsMs, pile);
  if (drawnW === undefined) return 'settling';
  const leftW = drawnW - powers.gridW - Math.max(0, powers.batteryW ?? 0);
  const freeW = sharedW(leftW, rivals, tsMs);
  if (freeW === undefined) return 'settling';
  return { tsMs, freeW, boughtW: Math.max(0, powers.gridW), drawnW };
}

/** What of that is for one of several piles: undefined while a vehicle follows an offer. */
function sharedW(leftW: number, rivals: readonly Rival[], tsMs: number): number | undefined {
  const drawn: { rival: Rival; drawnW: number }[] = [];
  for (const rival of rivals) {
    const drawnW = drawnAt(tsMs, rival);
    if (drawnW === undefined) return undefined;
    drawn.push({ rival, drawnW });
  }
  const allW = drawn.reduce((sum, each) => sum + each.drawnW, leftW);
  return drawn.reduce(
    (freeW, { rival, drawnW }) =>
      rival.comesFirst ? freeW - wantedW(rival, drawnW, allW) : freeW + Math.max(0, drawnW - rival.leastW),
    leftW,
  );
}

/** What a pile would take beyond what it draws. */
function wantedW({ offeredW, leastW, mostW }: Rival, drawnW: number, allW: number): number {
  if (offeredW === 0) return allW >= leastW ? leastW : 0;
  return drawnW < FOLLOWED_SHARE * offeredW ? 0 : Math.max(0, mostW - drawnW);
}

/** What the pile drew at a time at which the plant was measured; undefined while the vehicle follows an offer. */
function drawnAt(tsMs: number, { powerW, readMs, change }: PileDraw): number | undefined {
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
