import { momentAtClock } from '../analysis/clock-moment.ts';
import { addDays, type CalendarDay, localDay } from '../format/dates.ts';

export const muteSpans = ['tomorrow', 'days3', 'week', 'days30', 'own'] as const;
export type MuteSpan = (typeof muteSpans)[number];

const daysOf = { days3: 3, week: 7, days30: 30 } as const;
const MORNING = '08:00';
const DAY_MS = 86_400_000;

interface Muting {
  readonly span: MuteSpan;
  readonly day: CalendarDay;
  readonly time: string;
}

/** When what is muted is told again; undefined where an own time is not written out. */
export function mutedUntil({ span, day, time }: Muting, nowMs: number, timeZone: string): number | undefined {
  if (span === 'own') return momentAtClock(day, time, timeZone);
  if (span === 'tomorrow') return momentAtClock(addDays(localDay(nowMs, timeZone), 1), MORNING, timeZone);
  return nowMs + daysOf[span] * DAY_MS;
}
