import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { addDays, addMonths, addYears, type CalendarDay } from '../../format/dates.ts';
import { useFormat } from '../../format/use-format.ts';
import { IconButton } from '../show/button.tsx';
import { Segmented } from './segmented.tsx';
import styles from './time-range.module.css';

export type Span = 'day' | 'month' | 'year' | 'total';

export interface TimeRangeValue {
  span: Span;
  /** A plant-local calendar day (`YYYY-MM-DD`) within the span. */
  day: CalendarDay;
}

const spans: readonly Span[] = ['day', 'month', 'year', 'total'];

const lengthOf = { day: 10, month: 7, year: 4, total: 0 } as const satisfies Record<Span, number>;

/** The same range one step earlier or later; never later than today's. */
export function stepped({ span, day }: TimeRangeValue, by: 1 | -1, today: CalendarDay): TimeRangeValue {
  const move = { day: addDays, month: addMonths, year: addYears, total: (same: CalendarDay) => same }[span];
  const moved = move(day, by);
  return { span, day: moved > today ? today : moved };
}

/** Whether a range holds today, so that there is no later one. */
export const isNewest = ({ span, day }: TimeRangeValue, today: CalendarDay): boolean =>
  day.slice(0, lengthOf[span]) >= today.slice(0, lengthOf[span]);

interface TimeRangeProps {
  value: TimeRangeValue;
  onChange: (value: TimeRangeValue) => void;
  /** Today where the plant stands. */
  today: CalendarDay;
}

/** Day, month, year or total, with a step back and forth. */
export function TimeRange({ value, onChange, today }: TimeRangeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = {
    day: format.dayLong(value.day),
    month: format.month(value.day),
    year: value.day.slice(0, 4),
    total: t('common.span.total'),
  }[value.span];
  const steps = value.span !== 'total';
  return (
    <div className={styles.range}>
      <Segmented
        label={t('common.timeRange')}
        value={value.span}
        options={spans.map((span) => ({ value: span, label: t(`common.span.${span}`) }))}
        onChange={(span) => onChange({ span, day: value.day })}
      />
      {steps && (
        <div className={styles.steps}>
          <IconButton aria-label={t('common.earlier')} onClick={() => onChange(stepped(value, -1, today))}>
            <IconChevronLeft size={18} aria-hidden="true" />
          </IconButton>
          <span className={styles.shown} aria-live="polite">
            {shown}
          </span>
          <IconButton
            aria-label={t('common.later')}
            disabled={isNewest(value, today)}
            onClick={() => onChange(stepped(value, 1, today))}
          >
            <IconChevronRight size={18} aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </div>
  );
}
