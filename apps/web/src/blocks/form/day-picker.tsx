import { lazy, Suspense } from 'react';
import type { CalendarDay } from '../../format/dates.ts';
import { useFormat } from '../../format/use-format.ts';
import styles from './day-picker.module.css';
import { Dropdown } from './dropdown.tsx';

const DayCalendar = lazy(async () => ({ default: (await import('../widgets/calendar.tsx')).DayCalendar }));

interface DayPickerProps {
  /** What is chosen: name of the calendar and of the button. */
  label: string;
  value: CalendarDay;
  min?: CalendarDay;
  max?: CalendarDay;
  className: string;
  onChange: (day: CalendarDay) => void;
}

/** A button that shows a day and opens a calendar to choose another; the calendar's code comes when it is first opened. */
export function DayPicker({ label, value, min, max, className, onChange }: DayPickerProps) {
  const shown = useFormat().day(value);
  return (
    <Dropdown label={`${label}: ${shown}`} button={shown} className={className}>
      {(hide) => (
        <Suspense fallback={<div className={styles.waiting} />}>
          <DayCalendar
            label={label}
            value={value}
            min={min}
            max={max}
            onChoose={(day) => {
              hide();
              onChange(day);
            }}
          />
        </Suspense>
      )}
    </Dropdown>
  );
}
