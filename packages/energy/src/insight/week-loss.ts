import type { DayInsight } from './day-insight.ts';
import type { Reason } from './reasons.ts';

/** What a plant lost over whole days, and why most likely. */
export interface WeekLoss {
  /** Sum of the days on which it is known; null = on none. */
  lossWh: number | null;
  lossReplacingImportWh: number | null;
  expectedWh: number | null;
  actualWh: number | null;
  unexplainedWh: number;
  /** Expected while nothing was heard. */
  unknownWh: number;
  /** Days of which the loss is known, of all days. */
  knownDays: number;
  days: number;
  /** The likeliest reason: the costliest over all days; without one that costs, the one that nobody knows the cost of, then the rest. */
  reason: WeekReason | null;
  /** All reasons, likeliest first. */
  reasons: WeekReason[];
}

export interface WeekReason {
  /** The reason on the last of its days. */
  latest: Reason;
  /** Sum over the days; null = not known on any of them. */
  lossWh: number | null;
  days: number;
  /** Start of its first span within the days. */
  sinceMs: number;
  /** It held on the last of the days too. */
  isStanding: boolean;
  /** The greatest of its days. */
  confidence: number;
}

/**
 * Ranks what a plant lost over whole days, seven as a rule.
 *
 * @param days oldest first.
 */
export declare function weekLoss(days: readonly DayInsight[]): WeekLoss;
