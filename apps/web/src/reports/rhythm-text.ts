import type { ScheduleRhythm } from '@sonnenwarte/contract/reports/report';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';

/** A Monday. */
const MONDAY = '2024-01-01';

/** Name of a day of the week, Monday = 1. */
export function useWeekdayName(): (weekday: number) => string {
  const format = useFormat();
  return useMemo(() => (weekday) => format.weekdayLong(addDays(MONDAY, weekday - 1)), [format]);
}

interface Rhythm {
  readonly every: ScheduleRhythm;
  readonly weekday: number;
  readonly at: string;
}

/** When a schedule is due, in words. */
export function useRhythmText(): (rhythm: Rhythm) => string {
  const { t } = useTranslation();
  const weekdayName = useWeekdayName();
  return useMemo(
    () =>
      ({ every, weekday, at }) =>
        t(`reports.rhythm.${every}`, { at, day: weekdayName(weekday) }),
    [t, weekdayName],
  );
}
