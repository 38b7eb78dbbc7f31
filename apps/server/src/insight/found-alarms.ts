import type { DayInsight } from '@sonnenwarte/energy/insight/day-insight';
import type { AlarmSpan } from '@sonnenwarte/energy/insight/plant-day';

export const STRING_WEAK = 2006;
export const METER_REVERSED = 5002;
export const BELOW_NEIGHBOURS = 7001;
/** Days in a row that a plant must lack so much before that is told. */
export const LACKING_DAYS = 3;

/** Strings with less than this part of their neighbours' energy are told. */
const WEAK_BELOW = 0.7;
/** What a plant lacks of what its neighbours let expect, beside what is known of it and passes. */
const LACKING_FROM = 0.12;

/** An alarm that is found in a day. */
export interface FoundAlarm {
  readonly code: number;
  /** Serial number of the inverter; null of the plant. */
  readonly device: string | null;
  readonly sinceMs: number;
}

/** What a plant lacks against its neighbours and neither an alarm nor the weather explains, as a part of what was expected; null where nobody knows. */
export function lackingShare({ source, basis, expectedWh, unexplainedWh, reasons }: DayInsight): number | null {
  if (source !== 'neighbours' || basis !== 'near' || expectedWh === null || !(expectedWh > 0) || unexplainedWh === null)
    return null;
  const lasting = reasons.filter(({ kind }) => kind === 'shade' || kind === 'soiling');
  return (unexplainedWh + lasting.reduce((sum, { lossWh }) => sum + (lossWh ?? 0), 0)) / expectedWh;
}

export const isLacking = (day: DayInsight | undefined): boolean =>
  (day === undefined ? 0 : (lackingShare(day) ?? 0)) >= LACKING_FROM;

/**
 * The alarms that an ended day and those before it show and no device tells.
 *
 * @param days this day and as many before it as `LACKING_DAYS` asks for, the oldest first; `undefined` where one is not known.
 */
export function alarmsFound(days: readonly (DayInsight | undefined)[], told: readonly AlarmSpan[]): FoundAlarm[] {
  const today = days.at(-1);
  if (today === undefined) return [];
  const found: FoundAlarm[] = [];
  for (const reason of today.reasons) {
    const sinceMs = reason.spans[0]?.fromMs ?? today.dayMs;
    if (reason.kind === 'string-weak' && reason.evidence.alarm === null && reason.evidence.share < WEAK_BELOW) {
      found.push({ code: STRING_WEAK, device: reason.evidence.device, sinceMs });
    }
    if (
      reason.kind === 'meter-wrong' &&
      reason.evidence.counted === undefined &&
      !told.some(({ code }) => code === METER_REVERSED)
    ) {
      found.push({ code: METER_REVERSED, device: null, sinceMs });
    }
  }
  if (days.length >= LACKING_DAYS && days.slice(-LACKING_DAYS).every(isLacking)) {
    found.push({ code: BELOW_NEIGHBOURS, device: null, sinceMs: days.at(-LACKING_DAYS)?.dayMs ?? today.dayMs });
  }
  const once = new Map(found.map((each) => [`${each.code} ${each.device}`, each]));
  return [...once.values()];
}

/** Codes of which a day tells whether they hold; of the others it tells nothing, so that what stands goes on standing. */
export function codesJudged(day: DayInsight): number[] {
  const codes: number[] = [];
  if (!day.missing.includes('strings') && day.source !== null) codes.push(STRING_WEAK);
  if (!day.missing.includes('grid')) codes.push(METER_REVERSED);
  if (lackingShare(day) !== null) codes.push(BELOW_NEIGHBOURS);
  return codes;
}
