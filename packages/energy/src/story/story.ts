import { withoutNoise } from '../rounding.ts';

/** Energies of a span, Wh; null = not known. Flows are those of the plant's balance. */
export interface StoryEnergies {
  generationWh: number | null;
  consumptionWh: number | null;
  purchaseWh: number | null;
  /** Where the generation went. */
  toHouseWh: number | null;
  toCarWh: number | null;
  toBatteryWh: number | null;
  toGridWh: number | null;
  /** What all sources gave beyond what was taken. */
  lossWh: number | null;
  /** Share of the consumption that the plant covered, percent. */
  selfSufficiencyPercent: number | null;
}

/** With what a span is compared: the one before it, as far as this one has come, or the days before it on the mean. */
export type StoryOther = 'before' | 'beforeByNow' | 'mean';

export interface StoryAlarm {
  code: number;
  level: number;
  sinceMs: number;
  /** null = still standing. */
  untilMs: number | null;
}

/** What is recorded of a span and of what it is compared with. */
export interface StoryFacts {
  span: 'day' | 'week' | 'month';
  /** It still runs. */
  isRunning: boolean;
  /** The sun has not come up in it yet. */
  isBeforeSunrise: boolean;
  now: StoryEnergies;
  /** Generation of the span before, up to the same moment; null = not to be compared. */
  beforeWh: number | null;
  /** Generation of each of the 30 days before a day that is over, as far as they are known. */
  earlierDaysWh: readonly number[];
  /** Whole days of the span that are over, and of how many something is known. */
  days: { over: number; known: number };
  alarms: { worst: StoryAlarm | null; count: number };
  /** Times of a day without values. */
  gap: { fromMs: number; toMs: number } | null;
  /** The costliest drop of a day. */
  drop: { fromMs: number; toMs: number; lostWh: number } | null;
}

/** What the sun gave. */
export type SunFact =
  | { kind: 'unknown' }
  | { kind: 'notYet' }
  | { kind: 'plain'; energyWh: number }
  | { kind: 'same'; energyWh: number; other: StoryOther }
  | { kind: 'more' | 'less'; energyWh: number; percent: number; other: StoryOther };

/** Where the generation went; `loss`: lost on the way, `undivided`: nothing has measured where. */
export type StoryPart = 'house' | 'car' | 'battery' | 'grid' | 'loss' | 'undivided';

/** Where it went, the most first, adding up to it; of a span without sun, where what was used came from. */
export type UseFact =
  | { kind: 'parts'; parts: { to: StoryPart; energyWh: number }[]; selfSufficiencyPercent: number | null }
  | { kind: 'bought'; consumptionWh: number; purchaseWh: number };

/** What was unusual. */
export type UnusualFact =
  | { kind: 'alarm'; alarm: StoryAlarm; others: number }
  | { kind: 'gap'; fromMs: number; toMs: number }
  | { kind: 'missingDays'; days: number }
  | { kind: 'drop'; fromMs: number; toMs: number; lostWh: number }
  | { kind: 'best' | 'worst' }
  | { kind: 'independent' }
  | { kind: 'nothing' };

/** The sentences of a story; null where nothing is known to say it from. */
export interface Story {
  sun: SunFact;
  use: UseFact | null;
  unusual: UnusualFact | null;
}

/** Less of a generation is not worth a word, Wh. */
const LEAST_WH = 50;
/** What is compared with less says nothing in percent, Wh. */
const LEAST_OTHER_WH = 100;
/** A change that rounds to nothing is none, percent. */
const SAME_PERCENT = 0.5;
/** The mean of the month before says more than the day before where it is missed by this, percent. */
const TELLING_PERCENT = 15;
const MEAN_DAYS = 10;
/** A record is one among this many days. */
const RECORD_DAYS = 27;
const FAULT_LEVEL = 3;
/** A drop is worth a word from this part of what the day gave on. */
const DROP_SHARE = 0.05;
/** Less was not bought but drawn by the meter's own sway, Wh. */
const BOUGHT_WH = 50;
/** Sums of thousandths of a Wh differ by a few of them, Wh. */
const NOISE_WH = 0.05;

/**
 * The most telling facts of a span, one for each of three sentences: what the sun gave, where it went, what was unusual. All of them are
 * recorded figures; where these are missing it says so, or nothing.
 */
export function storyOf(facts: StoryFacts): Story {
  return { sun: sunOf(facts), use: useOf(facts.now), unusual: unusualOf(facts) };
}

function sunOf(facts: StoryFacts): SunFact {
  const { generationWh: energyWh } = facts.now;
  if (facts.isBeforeSunrise && (energyWh ?? 0) < LEAST_WH) return { kind: 'notYet' };
  if (energyWh === null) return { kind: 'unknown' };
  const compared = comparedWith(facts);
  if (compared === null) return { kind: 'plain', energyWh };
  const percent = (100 * (energyWh - compared.wh)) / compared.wh;
  const { other } = compared;
  if (Math.abs(percent) < SAME_PERCENT) return { kind: 'same', energyWh, other };
  return { kind: percent > 0 ? 'more' : 'less', energyWh, percent: Math.abs(percent), other };
}

function comparedWith({ now, beforeWh, earlierDaysWh, isRunning, span }: StoryFacts) {
  const energyWh = now.generationWh ?? 0;
  const meanWh = earlierDaysWh.reduce((sum, wh) => sum + wh, 0) / Math.max(1, earlierDaysWh.length);
  const isMeanTelling =
    span === 'day' &&
    !isRunning &&
    earlierDaysWh.length >= MEAN_DAYS &&
    meanWh >= LEAST_OTHER_WH &&
    Math.abs(energyWh / meanWh - 1) * 100 >= TELLING_PERCENT;
  if (isMeanTelling) return { wh: meanWh, other: 'mean' as const };
  if (beforeWh === null || beforeWh < LEAST_OTHER_WH) return null;
  return { wh: beforeWh, other: isRunning ? ('beforeByNow' as const) : ('before' as const) };
}

function useOf(now: StoryEnergies): UseFact | null {
  const { generationWh, consumptionWh, purchaseWh, selfSufficiencyPercent } = now;
  if (generationWh !== null && generationWh >= LEAST_WH) {
    const parts = partsOf(now, generationWh);
    if (parts.length > 0) return { kind: 'parts', parts, selfSufficiencyPercent };
  }
  if (consumptionWh === null || purchaseWh === null) return null;
  return { kind: 'bought', consumptionWh, purchaseWh };
}

/** The parts of a generation, adding up to it; of what no flow took, as much as was lost is loss. */
function partsOf(now: StoryEnergies, generationWh: number): { to: StoryPart; energyWh: number }[] {
  const flows: [StoryPart, number][] = [
    ['house', now.toHouseWh ?? 0],
    ['car', now.toCarWh ?? 0],
    ['battery', now.toBatteryWh ?? 0],
    ['grid', now.toGridWh ?? 0],
  ];
  const takenWh = flows.reduce((sum, [, energyWh]) => sum + energyWh, 0);
  if (takenWh < LEAST_WH) return [];
  const restWh = Math.max(0, generationWh - takenWh);
  const lossWh = Math.min(restWh, now.lossWh ?? 0);
  const all: [StoryPart, number][] = [...flows, ['loss', lossWh], ['undivided', restWh - lossWh]];
  return all
    .flatMap(([to, energyWh]) => (energyWh < NOISE_WH ? [] : [{ to, energyWh: withoutNoise(energyWh) }]))
    .toSorted((a, b) => b.energyWh - a.energyWh);
}

function unusualOf(facts: StoryFacts): UnusualFact | null {
  const { alarms, days, gap, drop, now, span, isRunning } = facts;
  const told = alarms.worst && ({ kind: 'alarm', alarm: alarms.worst, others: alarms.count - 1 } as const);
  if (told !== null && (told.alarm.level >= FAULT_LEVEL || told.alarm.untilMs === null)) return told;
  if (span !== 'day' && days.known > 0 && days.known < days.over) {
    return { kind: 'missingDays', days: days.over - days.known };
  }
  if (gap !== null) return { kind: 'gap', ...gap };
  // What an alarm names is known; a drop may be its doing, or a cloud's.
  if (told !== null) return told;
  if (drop !== null && now.generationWh !== null && drop.lostWh >= DROP_SHARE * now.generationWh) {
    return { kind: 'drop', ...drop };
  }
  const record = span === 'day' && !isRunning ? recordOf(facts) : null;
  if (record !== null) return record;
  if (now.generationWh === null && now.consumptionWh === null) return null;
  const { consumptionWh, purchaseWh } = now;
  if (
    !isRunning &&
    consumptionWh !== null &&
    purchaseWh !== null &&
    consumptionWh >= LEAST_OTHER_WH &&
    purchaseWh < BOUGHT_WH
  ) {
    return { kind: 'independent' };
  }
  return { kind: 'nothing' };
}

function recordOf({ now: { generationWh }, earlierDaysWh }: StoryFacts): UnusualFact | null {
  if (generationWh === null || earlierDaysWh.length < RECORD_DAYS) return null;
  if (generationWh > Math.max(...earlierDaysWh)) return { kind: 'best' };
  return generationWh < Math.min(...earlierDaysWh) ? { kind: 'worst' } : null;
}
