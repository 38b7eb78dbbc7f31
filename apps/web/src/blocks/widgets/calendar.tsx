import { CalendarDate } from '@internationalized/date';
import { WEEK_STARTS_ON } from '@sonnenwarte/contract/limits';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { use } from 'react';
import { Button } from 'react-aria-components/Button';
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarStateContext,
} from 'react-aria-components/Calendar';
import { RangeCalendar, RangeCalendarStateContext } from 'react-aria-components/RangeCalendar';
import { useTranslation } from 'react-i18next';
import { addMonths, type CalendarDay } from '../../format/dates.ts';
import { useFormat } from '../../format/use-format.ts';
import styles from './calendar.module.css';
import { dateOf, dayOf } from './days.ts';
import { Localized } from './localized.tsx';

const FIRST_WEEKDAY = (['sun', 'mon'] as const)[WEEK_STARTS_ON];
const FIRST_YEAR = 1990;
const LAST_YEAR = 2099;
const months: readonly CalendarDay[] = Array.from({ length: 12 }, (_, count) => addMonths('2000-01-01', count));

/** Month and year to choose, a step back and forth, and the days of the month, weeks from Monday. */
function Month() {
  const { t } = useTranslation();
  const format = useFormat();
  const single = use(CalendarStateContext);
  const range = use(RangeCalendarStateContext);
  const state = range ?? single;
  if (state === null) return null;
  const { start } = state.visibleRange;
  const first = state.minValue?.year ?? FIRST_YEAR;
  const last = state.maxValue?.year ?? LAST_YEAR;
  const years = Array.from({ length: last - first + 1 }, (_, index) => last - index);
  const show = (year: number, month: number) =>
    state.setFocusedDate(new CalendarDate(year, month, Math.min(state.focusedDate.day, 28)));
  return (
    <>
      <div className={styles.head}>
        <Button slot="previous" aria-label={t('common.earlier')} className={styles.step ?? ''}>
          <IconChevronLeft size={18} aria-hidden="true" />
        </Button>
        <select
          aria-label={t('common.span.month')}
          value={start.month}
          onChange={(event) => show(start.year, Number(event.currentTarget.value))}
        >
          {months.map((month, index) => (
            <option key={month} value={index + 1}>
              {format.monthName(month)}
            </option>
          ))}
        </select>
        <select
          aria-label={t('common.span.year')}
          value={start.year}
          onChange={(event) => show(Number(event.currentTarget.value), start.month)}
        >
          {years.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
        <Button slot="next" aria-label={t('common.later')} className={styles.step ?? ''}>
          <IconChevronRight size={18} aria-hidden="true" />
        </Button>
      </div>
      <CalendarGrid weekdayStyle="short" className={styles.days ?? ''}>
        <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
        <CalendarGridBody>
          {(date) => <CalendarCell date={date} data-day={dayOf(date)} className={styles.day ?? ''} />}
        </CalendarGridBody>
      </CalendarGrid>
    </>
  );
}

/** The days of a picker; what is chosen and allowed comes from it. */
export const PickerDays = () => (
  <Calendar firstDayOfWeek={FIRST_WEEKDAY} className={styles.calendar ?? ''}>
    <Month />
  </Calendar>
);

/** The days of a picker of ranges. */
export const PickerRange = () => (
  <RangeCalendar data-range firstDayOfWeek={FIRST_WEEKDAY} className={styles.calendar ?? ''}>
    <Month />
  </RangeCalendar>
);

export interface DayCalendarProps {
  label: string;
  value: CalendarDay | '';
  min?: CalendarDay | undefined;
  max?: CalendarDay | undefined;
  onChoose: (day: CalendarDay) => void;
}

/** A month of days to choose from; arrows move by days and weeks, page keys by months, with Shift by years. */
export function DayCalendar({ label, value, min, max, onChoose }: DayCalendarProps) {
  return (
    <Localized>
      <Calendar
        aria-label={label}
        autoFocus
        firstDayOfWeek={FIRST_WEEKDAY}
        value={dateOf(value)}
        minValue={dateOf(min)}
        maxValue={dateOf(max)}
        onChange={(date) => onChoose(dayOf(date))}
        className={styles.calendar ?? ''}
      >
        <Month />
      </Calendar>
    </Localized>
  );
}
