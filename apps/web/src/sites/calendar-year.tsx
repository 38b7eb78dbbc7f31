import type { CalendarDayFigures, CalendarMonthFigures } from '@sonnenwarte/contract/sites/site-calendar';
import type { ReactNode } from 'react';
import type { CalendarDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './calendar.module.css';
import { weeksOf } from './calendar-days.ts';
import { type CalendarFigure, coloursOf, figureValue, stepOf } from './calendar-steps.ts';
import type { CalendarTexts } from './calendar-texts.ts';

interface CalendarYearProps {
  year: number;
  today: CalendarDay;
  days: ReadonlyMap<CalendarDay, CalendarDayFigures>;
  months: readonly CalendarMonthFigures[];
  figure: CalendarFigure;
  limits: readonly number[];
  texts: CalendarTexts;
  /** The month of a day. */
  onOpen: (day: CalendarDay) => void;
}

/** Twelve small months; each opens. */
export function CalendarYear({
  year,
  today,
  days,
  months,
  figure,
  limits,
  texts,
  onOpen,
}: CalendarYearProps): ReactNode {
  const format = useFormat();
  return (
    <ul className={styles.year}>
      {Array.from({ length: 12 }, (_, index) => {
        const month = `${year}-${String(index + 1).padStart(2, '0')}`;
        const sum = months.find((each) => each.month === month);
        return (
          <li key={month}>
            <button type="button" disabled={month > today.slice(0, 7)} onClick={() => onOpen(`${month}-01`)}>
              <span className={styles.monthName}>
                <strong>{format.monthShort(`${month}-01`)}</strong>
                <span>{sum && texts.full(sum)}</span>
              </span>
              <span className={styles.small} aria-hidden="true">
                {weeksOf(month)
                  .flat()
                  .map((day, place) => {
                    const shown = day === undefined ? undefined : days.get(day);
                    const value = shown === undefined ? null : figureValue(figure, shown);
                    return (
                      <i
                        key={day ?? `${month}:${place}`}
                        data-none={day === undefined || undefined}
                        style={value === null ? undefined : coloursOf(figure, stepOf(value, limits))}
                      />
                    );
                  })}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
