import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  addDays,
  addMonths,
  type CalendarDay,
  calendarParts,
  sameDayOfMonth,
  startOfWeek,
  weeksOfMonth,
} from '../../format/dates.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button, IconButton } from '../show/button.tsx';
import styles from './calendar.module.css';

export interface CalendarProps {
  label: string;
  value: CalendarDay | '';
  today: CalendarDay;
  min?: CalendarDay | undefined;
  max?: CalendarDay | undefined;
  /** Offers to choose no day, which is ''. */
  clearable: boolean;
  onChoose: (day: CalendarDay | '') => void;
}

const steps: Readonly<Record<string, (day: CalendarDay) => CalendarDay>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: startOfWeek,
  End: (day) => addDays(startOfWeek(day), 6),
  PageUp: (day) => sameDayOfMonth(day, -1),
  PageDown: (day) => sameDayOfMonth(day, 1),
};

const months: readonly CalendarDay[] = Array.from({ length: 12 }, (_, count) => addMonths('2000-01-01', count));

/** A month of days to choose from, weeks from Monday; arrows move by days and weeks, page keys by months. */
export function Calendar({
  label,
  value,
  today,
  min = '1990-01-01',
  max = '2099-12-31',
  clearable,
  onChoose,
}: CalendarProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const within = (day: CalendarDay): CalendarDay => (day < min ? min : day > max ? max : day);
  const [at, setAt] = useState(within(value === '' ? today : value));
  const grid = useRef<HTMLTableElement>(null);
  const moved = useRef(true);

  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus();
    moved.current = false;
  }, [at]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    moved.current = true;
    setAt(within(step(at)));
  };
  const { year, month } = calendarParts(at);
  const years = Array.from(
    { length: calendarParts(max).year - calendarParts(min).year + 1 },
    (_, index) => calendarParts(max).year - index,
  );
  const weeks = weeksOfMonth(at);

  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <IconButton
          aria-label={t('common.earlier')}
          disabled={addMonths(at, 0) <= min}
          onClick={() => setAt(within(sameDayOfMonth(at, -1)))}
        >
          <IconChevronLeft size={18} aria-hidden="true" />
        </IconButton>
        <select
          aria-label={t('common.span.month')}
          value={month}
          onChange={(event) => setAt(within(sameDayOfMonth(at, Number(event.currentTarget.value) - month)))}
        >
          {months.map((first, index) => (
            <option key={first} value={index + 1}>
              {format.monthName(first)}
            </option>
          ))}
        </select>
        <select
          aria-label={t('common.span.year')}
          value={year}
          onChange={(event) => setAt(within(sameDayOfMonth(at, 12 * (Number(event.currentTarget.value) - year))))}
        >
          {years.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
        <IconButton
          aria-label={t('common.later')}
          disabled={addMonths(at, 1) > max}
          onClick={() => setAt(within(sameDayOfMonth(at, 1)))}
        >
          <IconChevronRight size={18} aria-hidden="true" />
        </IconButton>
      </div>
      <table ref={grid} aria-label={label} className={styles.days}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={format.weekdayLong(day)}>
                {format.weekday(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    data-day={day}
                    data-outside={calendarParts(day).month !== month || undefined}
                    aria-label={format.dayLong(day)}
                    aria-pressed={day === value}
                    aria-current={day === today ? 'date' : undefined}
                    disabled={day < min || day > max}
                    tabIndex={day === at ? 0 : -1}
                    onKeyDown={onKeyDown}
                    onClick={() => onChoose(day)}
                  >
                    {calendarParts(day).day}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {clearable && value !== '' && (
        <Button small look="plain" onClick={() => onChoose('')}>
          {t('common.clear')}
        </Button>
      )}
    </div>
  );
}
