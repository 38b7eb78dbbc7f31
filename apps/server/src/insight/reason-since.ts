import type { AlarmSpan } from '@sonnenwarte/energy/insight/plant-day';
import type { Reason } from '@sonnenwarte/energy/insight/reasons';
import { reasonIdentity, type WeekReason } from '@sonnenwarte/energy/insight/week-loss';
import type { StoredInsight } from './insight-rows.store.ts';

/** An alarm that goes along with a reason, and since when it stood. */
export interface AlarmSince {
  device: string;
  code: number;
  sinceMs: number;
}

/** Days in between on which a reason could not be told, for want of light, do not begin it anew. */
const MOST_DAYS_BETWEEN = 3;
const DAY_MS = 86_400_000;

/** The alarm on which a reason rests; any device where it names none. */
function alarmOf(reason: Reason): { code: number; device: string | null } | undefined {
  switch (reason.kind) {
    case 'alarm':
      return reason.evidence;
    case 'string-weak':
      return reason.evidence.alarm === null
        ? undefined
        : { code: reason.evidence.alarm, device: reason.evidence.device };
    case 'meter-wrong':
      return reason.evidence.alarm === null ? undefined : { code: reason.evidence.alarm, device: null };
    default:
      return undefined;
  }
}

const isOf = (reason: Reason, { code, device }: { code: number; device: string }): boolean => {
  const meant = alarmOf(reason);
  return meant !== undefined && meant.code === code && (meant.device === null || meant.device === device);
};

/** The alarms on which reasons of a day rest. */
export const alarmsOfReasons = (reasons: readonly Reason[], alarms: readonly AlarmSpan[]): AlarmSince[] =>
  alarms
    .filter((alarm) => reasons.some((reason) => isOf(reason, alarm)))
    .map(({ device, code, fromMs }) => ({ device, code, sinceMs: fromMs }));

/**
 * When a reason of a week began, epoch ms: when its alarm did, else on the first of the days on which it held, those before the week too.
 *
 * @param days all that are known, the oldest first.
 */
export function sinceOf({ latest, sinceMs }: WeekReason, days: readonly StoredInsight[]): number {
  const alarms = days
    .flatMap(({ alarmsSince = [] }) => alarmsSince)
    .filter((alarm) => isOf(latest, alarm))
    .map((alarm) => alarm.sinceMs);
  const identity = reasonIdentity(latest);
  let begunMs = sinceMs;
  for (const { dayMs, reasons } of days.toReversed()) {
    const here = reasons.find((reason) => reasonIdentity(reason) === identity);
    if (here === undefined || dayMs >= begunMs) continue;
    if (begunMs - dayMs > (MOST_DAYS_BETWEEN + 2) * DAY_MS) break;
    begunMs = here.spans[0]?.fromMs ?? dayMs;
  }
  return Math.min(begunMs, ...alarms);
}
