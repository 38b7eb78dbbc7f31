import * as z from 'zod/mini';

export const MOST_CHARGING_TIMES = 8;
/** A shorter time would have the contactor switched for next to nothing. */
export const SHORTEST_CHARGING_MINUTES = 30;

const DAY_MINUTES = 24 * 60;

/** `HH:MM` of the plant's clock, in quarter hours. */
const clock = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):(?:00|15|30|45)$/));

/** A time of each day at which may be charged; one that ends at or before its beginning passes midnight. */
export const chargingTime = z.object({ from: clock, to: clock });
export type ChargingTime = z.infer<typeof chargingTime>;

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** Minutes of the day from which and how long a time lasts. */
export function spanOf({ from, to }: ChargingTime): { startMin: number; minutes: number } {
  const startMin = minutesOf(from);
  return { startMin, minutes: ((minutesOf(to) - startMin + DAY_MINUTES - 1) % DAY_MINUTES) + 1 };
}

/** Whether a minute of the plant's day lies within a time, which may have begun the day before. */
export function isWithin(time: ChargingTime, minuteOfDay: number): boolean {
  const { startMin, minutes } = spanOf(time);
  return (minuteOfDay - startMin + DAY_MINUTES) % DAY_MINUTES < minutes;
}

/** The place of the first time that is too short, or that shares a minute with one before it. */
export function wrongTime(
  times: readonly ChargingTime[],
): { index: number; reason: 'too_short' | 'overlap' } | undefined {
  for (const [index, time] of times.entries()) {
    const { startMin, minutes } = spanOf(time);
    if (minutes < SHORTEST_CHARGING_MINUTES) return { index, reason: 'too_short' };
    const meets = (other: ChargingTime): boolean => isWithin(other, startMin) || isWithin(time, spanOf(other).startMin);
    if (times.slice(0, index).some(meets)) return { index, reason: 'overlap' };
  }
  return undefined;
}

export const chargingTimes = z.array(chargingTime).check(z.maxLength(MOST_CHARGING_TIMES), (context) => {
  const wrong = wrongTime(context.value);
  if (wrong === undefined) return;
  context.issues.push({
    code: 'custom',
    input: context.value,
    path: [wrong.index, 'from'],
    params: { reason: wrong.reason },
    message: wrong.reason,
  });
});
