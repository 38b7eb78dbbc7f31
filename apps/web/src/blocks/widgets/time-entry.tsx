import { parseTime } from '@internationalized/date';
import { TimeField } from 'react-aria-components/TimeField';
import { Segments } from './calendar-box.tsx';
import { type EntryProps, entryAria } from './entry.ts';
import { Localized } from './localized.tsx';
import styles from './widgets.module.css';

const MINUTES = 'HH:MM'.length;

const timeOf = (text: string) => {
  try {
    return text === '' ? null : parseTime(text);
  } catch {
    return null;
  }
};

/** A time of day, `HH:MM`, written as the language writes it; nothing is ''. */
export function TimeEntry(props: EntryProps<string>) {
  return (
    <Localized>
      <TimeField
        {...entryAria(props)}
        value={timeOf(props.value)}
        onChange={(time) => props.onChange(time?.toString().slice(0, MINUTES) ?? '')}
        className={styles.entry ?? ''}
      >
        <Segments className={styles.box} />
      </TimeField>
    </Localized>
  );
}
