import type { FollowCause } from '@sonnenwarte/contract/work-modes/follow';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import type { Expectation } from './follow.store.ts';
import { QUARTER_MS } from './follow-ahead.ts';
import { type Come, LEAST_BUCKETS } from './follow-energies.store.ts';

export interface Now {
  readonly nowMs: number;
  readonly prices: string;
  /** What the battery holds; null: not known, or not of now. */
  readonly socPercent: number | null;
  readonly come: Come | undefined;
}

/** Percentage points by which a battery may hold something else than was expected. */
const SOC_OFF = 10;
/** Parts by which an energy may be another than was expected, and what is too little to plan for, Wh. */
const SHARE_OFF = 0.25;
const LEAST_OFF_WH = 1_000;
/** Of what was heard in parts nothing is said. */
const LEAST_SHARE = 0.8;

export const isFarOff = (wh: number, expectedWh: number): boolean =>
  Math.abs(wh - expectedWh) >= Math.max(LEAST_OFF_WH, SHARE_OFF * expectedWh);

/** What was expected from the beginning until a time, Wh. */
function expectedUntil(fromMs: number, quarters: readonly number[], untilMs: number): number {
  return quarters.reduce((sum, wh, place) => {
    const share = (untilMs - fromMs - place * QUARTER_MS) / QUARTER_MS;
    return sum + wh * Math.min(1, Math.max(0, share));
  }, 0);
}

/** What is expected of the sun from a time until another, Wh. */
export const sunBetween = ({ fromMs, generationWh }: Expectation, sinceMs: number, untilMs: number): number =>
  expectedUntil(fromMs, generationWh, untilMs) - expectedUntil(fromMs, generationWh, sinceMs);

/** What makes a running plan worth another look: the first of what is otherwise than it went by. */
export function causeOf(expected: Expectation, { nowMs, prices, socPercent, come }: Now): FollowCause | undefined {
  if (prices !== expected.prices) return 'prices';
  const soc = expected.socPercent[Math.floor((nowMs - expected.fromMs) / QUARTER_MS) - 1];
  if (soc !== undefined && socPercent !== null && Math.abs(socPercent - soc) >= SOC_OFF) return 'charge';
  if (come === undefined || come.buckets < LEAST_BUCKETS) return undefined;
  const share = (come.buckets * BUCKET_MS) / (come.untilMs - expected.fromMs);
  if (!(share >= LEAST_SHARE)) return undefined;
  const isOff = (wh: number, quarters: readonly number[]) =>
    isFarOff(wh / share, expectedUntil(expected.fromMs, quarters, come.untilMs));
  if (isOff(come.generationWh, expected.generationWh)) return 'sun';
  return isOff(come.demandWh, expected.demandWh) ? 'consumption' : undefined;
}
