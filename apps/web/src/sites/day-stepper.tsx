import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DayPicker } from '../blocks/form/day-picker.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { addDays, type CalendarDay } from '../format/dates.ts';
import styles from './day-stepper.module.css';

interface DayStepperProps {
  date: CalendarDay;
  today: CalendarDay;
  onChange: (date: CalendarDay) => void;
}

/** A day back, a day forth, any day, and back to today. */
export function DayStepper({ date, today, onChange }: DayStepperProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.stepper}>
      {date !== today && (
        <Button small look="plain" onClick={() => onChange(today)}>
          {t('charts.today')}
        </Button>
      )}
      <IconButton aria-label={t('charts.previous')} onClick={() => onChange(addDays(date, -1))}>
        <IconChevronLeft size={18} aria-hidden="true" />
      </IconButton>
      <DayPicker
        label={t('charts.chooseDay')}
        className={styles.date ?? ''}
        value={date}
        min="2000-01-01"
        max={today}
        onChange={onChange}
      />
      <IconButton aria-label={t('charts.next')} disabled={date >= today} onClick={() => onChange(addDays(date, 1))}>
        <IconChevronRight size={18} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
