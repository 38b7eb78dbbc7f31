import { DatePicker } from 'react-aria-components/DatePicker';
import { Group } from 'react-aria-components/Group';
import type { CalendarDay } from '../../format/dates.ts';
import { PickerDays } from './calendar.tsx';
import { CalendarButton, CalendarPopover, Segments } from './calendar-box.tsx';
import { dateOf, dayOf } from './days.ts';
import { type EntryProps, entryAria } from './entry.ts';
import { Localized } from './localized.tsx';
import { useTopLayer } from './top-layer.tsx';
import styles from './widgets.module.css';

interface DayEntryProps extends EntryProps<CalendarDay | ''> {
  min?: CalendarDay | undefined;
  max?: CalendarDay | undefined;
}

/** A day, typed as the language writes it or chosen from a calendar; nothing is ''. */
export function DayEntry(props: DayEntryProps) {
  const { value, min, max, onChange } = props;
  const { container, onOpenChange, layer } = useTopLayer();
  return (
    <Localized>
      <DatePicker
        {...entryAria(props)}
        value={dateOf(value)}
        minValue={dateOf(min)}
        maxValue={dateOf(max)}
        onChange={(date) => onChange(date ? dayOf(date) : '')}
        onOpenChange={onOpenChange}
        className={styles.entry ?? ''}
      >
        <Group className={styles.box ?? ''}>
          <Segments />
          <CalendarButton />
        </Group>
        <CalendarPopover container={container}>
          <PickerDays />
        </CalendarPopover>
      </DatePicker>
      {layer}
    </Localized>
  );
}
