import { IconCalendar } from '@tabler/icons-react';
import { Button } from 'react-aria-components/Button';
import { DateInput, DateSegment } from 'react-aria-components/DateField';
import { DatePicker } from 'react-aria-components/DatePicker';
import { Dialog } from 'react-aria-components/Dialog';
import { Group } from 'react-aria-components/Group';
import { Popover } from 'react-aria-components/Popover';
import { useTranslation } from 'react-i18next';
import type { CalendarDay } from '../../format/dates.ts';
import { PickerDays } from './calendar.tsx';
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
  const { t } = useTranslation();
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
          <DateInput className={styles.segments ?? ''}>
            {(segment) => <DateSegment segment={segment} className={styles.segment ?? ''} />}
          </DateInput>
          <Button aria-label={t('blocks.openCalendar')} className={styles.inside ?? ''}>
            <IconCalendar size={18} aria-hidden="true" />
          </Button>
        </Group>
        <Popover
          placement="bottom start"
          {...(container && { UNSTABLE_portalContainer: container })}
          className={styles.popover ?? ''}
        >
          <Dialog className={styles.calendar ?? ''}>
            <PickerDays />
          </Dialog>
        </Popover>
      </DatePicker>
      {layer}
    </Localized>
  );
}
