import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DayPicker } from '../blocks/form/day-picker.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { addDays, type CalendarDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './analysis.module.css';

const DAY_MS = 86_400_000;

interface DaysStepperProps {
  first: CalendarDay;
  last: CalendarDay;
  today: CalendarDay;
  /** Another last day. */
  onChange: (last: CalendarDay) => void;
}

/** As many days back or forth, any last day, and back to today. */
export function DaysStepper({ first, last, today, onChange }: DaysStepperProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const days = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return (
    <div className={styles.stepper}>
      <IconButton aria-label={t('charts.previous')} onClick={() => onChange(addDays(last, -days))}>
        <IconChevronLeft size={18} aria-hidden="true" />
      </IconButton>
      {first !== last && <span className={styles.firstDay}>{format.day(first)} –</span>}
      <DayPicker
        label={t('charts.chooseDay')}
        className={styles.lastDay ?? ''}
        value={last}
        min="2000-01-01"
        max={today}
        onChange={onChange}
      />
      <IconButton aria-label={t('charts.next')} disabled={last >= today} onClick={() => onChange(addDays(last, days))}>
        <IconChevronRight size={18} aria-hidden="true" />
      </IconButton>
      {last !== today && (
        <Button small look="plain" onClick={() => onChange(today)}>
          {t('charts.today')}
        </Button>
      )}
    </div>
  );
}
