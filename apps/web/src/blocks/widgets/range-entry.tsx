import { IconX } from '@tabler/icons-react';
import { use } from 'react';
import { Button } from 'react-aria-components/Button';
import { DateRangePicker, DateRangePickerStateContext } from 'react-aria-components/DateRangePicker';
import { Group } from 'react-aria-components/Group';
import { useTranslation } from 'react-i18next';
import { addDays, addMonths, type CalendarDay } from '../../format/dates.ts';
import { PickerRange } from './calendar.tsx';
import { CalendarButton, CalendarPopover, Segments } from './calendar-box.tsx';
import { dateOf, dayOf } from './days.ts';
import { type EntryProps, entryAria } from './entry.ts';
import { Localized } from './localized.tsx';
import { useTopLayer } from './top-layer.tsx';
import styles from './widgets.module.css';

/** Days from the first to the last, both included. */
export interface DayRange {
  from: CalendarDay;
  to: CalendarDay;
}

interface RangeEntryProps extends EntryProps<DayRange | undefined> {
  /** Where the ready-made ranges end. */
  today: CalendarDay;
  min?: CalendarDay | undefined;
  max?: CalendarDay | undefined;
}

/** Ranges that are chosen with one click. */
export const readyRanges = {
  today: (today) => ({ from: today, to: today }),
  week: (today) => ({ from: addDays(today, -6), to: today }),
  days30: (today) => ({ from: addDays(today, -29), to: today }),
  month: (today) => ({ from: addMonths(today, 0), to: today }),
  lastMonth: (today) => ({ from: addMonths(today, -1), to: addDays(addMonths(today, 0), -1) }),
} as const satisfies Record<string, (today: CalendarDay) => DayRange>;

const readyNames = Object.keys(readyRanges) as (keyof typeof readyRanges)[];

function ReadyRanges({ today, onChange }: Pick<RangeEntryProps, 'today' | 'onChange'>) {
  const { t } = useTranslation();
  const state = use(DateRangePickerStateContext);
  return (
    <div className={styles.ready}>
      {readyNames.map((name) => (
        <button
          key={name}
          type="button"
          onClick={() => {
            onChange(readyRanges[name](today));
            state?.close();
          }}
        >
          {t(`blocks.range.${name}`)}
        </button>
      ))}
    </div>
  );
}

/** Days from one to another, typed or chosen from a calendar, or one of the ready-made ranges. */
export function RangeEntry(props: RangeEntryProps) {
  const { value, min, max, today, required = false, onChange } = props;
  const { t } = useTranslation();
  const { container, onOpenChange, layer } = useTopLayer();
  const start = dateOf(value?.from);
  const end = dateOf(value?.to);
  return (
    <Localized>
      <DateRangePicker
        {...entryAria(props)}
        value={start && end ? { start, end } : null}
        minValue={dateOf(min)}
        maxValue={dateOf(max)}
        onChange={(range) => onChange(range ? { from: dayOf(range.start), to: dayOf(range.end) } : undefined)}
        onOpenChange={onOpenChange}
        className={styles.entry ?? ''}
      >
        <Group className={styles.box ?? ''}>
          <Segments slot="start" />
          <span aria-hidden="true">–</span>
          <Segments slot="end" />
          {value && !required && (
            <Button
              slot={null}
              aria-label={t('common.clear')}
              className={styles.inside ?? ''}
              onPress={() => onChange(undefined)}
            >
              <IconX size={16} aria-hidden="true" />
            </Button>
          )}
          <CalendarButton />
        </Group>
        <CalendarPopover container={container}>
          <ReadyRanges today={today} onChange={onChange} />
          <PickerRange />
        </CalendarPopover>
      </DateRangePicker>
      {layer}
    </Localized>
  );
}
