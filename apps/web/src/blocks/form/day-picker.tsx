import { type ButtonHTMLAttributes, lazy, Suspense } from 'react';
import type { CalendarDay } from '../../format/dates.ts';
import { useFormat } from '../../format/use-format.ts';
import styles from './day-picker.module.css';
import { Dropdown } from './dropdown.tsx';

const Calendar = lazy(async () => ({ default: (await import('./calendar.tsx')).Calendar }));

interface DayPickerProps {
  /** What is chosen: name of the calendar, and of the button where no label stands by. */
  label: string;
  value: CalendarDay | '';
  /** Shown where no day is chosen. */
  placeholder?: string;
  today: CalendarDay;
  min?: CalendarDay | undefined;
  max?: CalendarDay | undefined;
  className: string;
  control?: ButtonHTMLAttributes<HTMLButtonElement>;
  fromStart?: boolean;
  /** Can be left without a day: '' is told then. */
  clearable?: boolean;
  onChange: (day: CalendarDay | '') => void;
}

/** A button that shows a day and opens a calendar to choose another. */
export function DayPicker(props: DayPickerProps) {
  const {
    label,
    value,
    placeholder = '',
    today,
    min,
    max,
    className,
    control,
    fromStart,
    clearable = false,
    onChange,
  } = props;
  const format = useFormat();
  const shown = value === '' ? placeholder : format.day(value);
  return (
    <Dropdown
      {...(!control && { label: `${label}: ${shown}` })}
      button={shown}
      className={className}
      {...(control && { control })}
      {...(fromStart && { fromStart })}
    >
      {(hide) => (
        <Suspense fallback={<div className={styles.waiting} />}>
          <Calendar
            label={label}
            value={value}
            today={today}
            min={min}
            max={max}
            clearable={clearable}
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
