import type { DayInsight } from './day-insight.ts';
import { byDesign, type Reason } from './reasons.ts';

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
  /** The likeliest reason: the first of `reasons`. */
  reason: WeekReason | null;
  /** All reasons, the costliest first; without a cost what is not known, then what costs nothing. */
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

/** Below this part of what was expected a loss is no reason to name anything before what is not known or broken. */
const WORTH_NAMING_SHARE = 0.005;

/**
 * Ranks what a plant lost over whole days, seven as a rule.
 *
 * @param days oldest first.
 */
export function weekLoss(days: readonly DayInsight[]): WeekLoss {
  const reasons = new Map<string, WeekReason>();
  const lastDayMs = days.at(-1)?.dayMs ?? 0;
  for (const day of days) for (const reason of day.reasons) add(reasons, reason, day.dayMs, lastDayMs);
  const expectedWh = sumOfKnown(days.map((day) => day.expectedWh));
  const worthWh = WORTH_NAMING_SHARE * (expectedWh ?? 0);
  const ranked = [...reasons.values()].toSorted(
    (a, b) => rank(a, worthWh) - rank(b, worthWh) || (b.lossWh ?? 0) - (a.lossWh ?? 0) || b.confidence - a.confidence,
  );
  return {
    lossWh: sumOfKnown(days.map((day) => day.lossWh)),
    lossReplacingImportWh: sumOfKnown(days.map((day) => day.lossReplacingImportWh)),
    expectedWh,
    actualWh: sumOfKnown(days.map((day) => day.actualWh)),
    unexplainedWh: sumOfKnown(days.map((day) => day.unexplainedWh)) ?? 0,
    unknownWh: sumOfKnown(days.map((day) => day.unknownWh)) ?? 0,
    knownDays: days.filter((day) => day.lossWh !== null).length,
    days: days.length,
    reason: ranked[0] ?? null,
    reasons: ranked,
  };
}

function add(reasons: Map<string, WeekReason>, reason: Reason, dayMs: number, lastDayMs: number): void {
  const key = reasonIdentity(reason);
  const known = reasons.get(key);
  const lossWh = known === undefined ? reason.lossWh : sumOfKnown([known.lossWh, reason.lossWh]);
  reasons.set(key, {
    latest: reason,
    lossWh,
    days: (known?.days ?? 0) + 1,
    sinceMs: known?.sinceMs ?? reason.spans[0]?.fromMs ?? dayMs,
    isStanding: dayMs === lastDayMs,
    confidence: Math.max(known?.confidence ?? 0, reason.confidence),
  });
}

/** The same reason on two days: the same alarm, string or device. */
export function reasonIdentity(reason: Reason): string {
  switch (reason.kind) {
    case 'alarm':
      return `alarm ${reason.evidence.code} ${reason.evidence.device}`;
    case 'string-weak':
      return `string ${reason.evidence.device} ${reason.evidence.string}`;
    case 'meter-wrong':
      return reason.evidence.counted === undefined ? 'meter-wrong' : 'power-wrong';
    case 'standstill':
      return `standstill ${reason.evidence.device}`;
    default:
      return reason.kind;
  }
}

/** What costs, then what nobody knows the cost of, then faults that cost nothing, then what the plant is built for. */
function rank({ lossWh, latest }: WeekReason, worthWh: number): number {
  if (lossWh !== null && lossWh > worthWh) return 0;
  if (lossWh === null) return 1;
  return byDesign.has(latest.kind) ? 3 : 2;
}

function sumOfKnown(values: readonly (number | null)[]): number | null {
  let sum: number | null = null;
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value;
  return sum;
}
